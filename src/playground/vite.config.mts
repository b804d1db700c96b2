import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // Relative: a proxy may put the gateway below a path.
  base: "./",
  publicDir: false,
  logLevel: "error",
  // The gateway puts another nonce here with each answer.
  html: { cspNonce: "PLAYGROUND_NONCE" },
  worker: { format: "es" },
  build: {
    target: "es2022",
    // As files: data: addresses would have to be allowed.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
  },
});
