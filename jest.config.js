/** Tests run against one real Postgres, started in globalSetup and cloned for each file. */
module.exports = {
  testEnvironment: "node",
  rootDir: ".",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // System tests are those at the top of their folder; what they are made of is tested here.
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/system/[^/]+$"],
  modulePathIgnorePatterns: ["<rootDir>/dist"],
  transform: { "^.+\\.(t|j|mj)s$": ["@swc/jest"] },
  // ESM-only packages are transformed too: jest's own module system is CommonJS here.
  transformIgnorePatterns: ["/node_modules/(?!(uuid)/)"],
  setupFiles: ["reflect-metadata"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  // One at a time: a test that races many callers, or waits for recovery, has the machine to itself.
  maxWorkers: 1,
  testTimeout: 30_000,
};
