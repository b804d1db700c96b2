// ESM-only packages are transformed too: jest's own module system is CommonJS here.
module.exports = {
  testEnvironment: "node",
  rootDir: ".",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/system/"],
  transform: { "^.+\\.(t|j|mj)s$": ["@swc/jest"] },
  transformIgnorePatterns: ["/node_modules/(?!(uuid)/)"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  setupFiles: ["reflect-metadata"],
};
