/** What is run, and where it is told. */
export interface SuiteRun {
  /** Drawn points instead of all, and of the storms the short ones, smaller. */
  short: boolean;
  seed: number;
  /** A part of the names of what is run; null for all. */
  only: string | null;
  print(line: string): void;
  /** What is shown while it runs, where somebody looks. */
  progress(line: string): void;
}
