import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: "error",
  build: { target: "es2022", minify: false, modulePreload: { polyfill: false }, emptyOutDir: true },
});
