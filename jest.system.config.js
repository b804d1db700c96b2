/** What needs other packages of Debian: Postgres 15. Run by `npm run test:system`. */
module.exports = {
  ...require("./jest.config.js"),
  testMatch: ["<rootDir>/test/system/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  maxWorkers: 1,
  testTimeout: 180_000,
};
