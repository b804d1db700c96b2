import type { BrowserContext, Page, Response } from "playwright-core";
import { until, type Reply } from "./client";

/** The open playground, used as a person uses it. */
export interface PlaygroundPage {
  page: Page;
  /** What a person or an operator would not want to see: refused requests, violations of the policy, errors. */
  faults: string[];
  /** Every address that was asked for. */
  asked: string[];
  /** Chooses a tab, runs it, and returns what it then shows. */
  run<D>(operation: string): Promise<Reply<D>>;
  /** Types a key into the headers editor, in the place of what stands there. */
  typeKey(key: string): Promise<void>;
  /** The whole text of one of GraphiQL's editors. */
  textOf(editor: Editor): Promise<string>;
}

/** GraphiQL's names of its editors. */
type Editor = "operation.graphql" | "variables.json" | "request-headers.json" | "response.json";

/** Monaco shows only the lines that fit, so its models are read. GraphiQL offers them by this name. */
const modelOf = (editor: Editor) =>
  `globalThis.__MONACO?.editor.getModels().find(({ uri }) => uri.path.endsWith("${editor}"))?.getValue()`;

/** How long a page may take to show what was asked of it, beside other tests (milliseconds). */
const WITHIN = 30_000;

/** Opens the playground in a window of its own: a visit. */
export async function openPlayground(browser: BrowserContext, url: string): Promise<PlaygroundPage> {
  const page = await browser.newPage();
  const faults: string[] = [];
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    // So ends what was still loading when the page was loaded again.
    if (reason !== "net::ERR_ABORTED") faults.push(`${reason}: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  await page.goto(`${url}/playground`);
  await isReady(page);
  return {
    page,
    faults,
    asked,
    textOf: (editor) => textOf(page, editor),
    run: async <D>(operation: string) => {
      await choose(page, operation);
      return execute<D>(page, operation);
    },
    typeKey: async (key) => {
      const headers = JSON.stringify({ Authorization: `Bearer ${key}` });
      await page.getByRole("button", { name: "Headers", exact: true }).click();
      await page.locator("section[aria-label=Headers] .graphiql-editor:not(.hidden) .view-lines").click();
      await page.keyboard.press("ControlOrMeta+A");
      // The editor closes what is opened.
      await page.keyboard.insertText(headers.slice(0, -2));
      await becomes(page, "request-headers.json", (now) => now === headers);
    },
  };
}

const textOf = async (page: Page, editor: Editor) => (await page.evaluate(modelOf(editor))) as string;

/** Asked from here: a wait inside the page would be an `eval`, which the page's policy refuses. */
async function becomes(page: Page, editor: Editor, holds: (text: string) => boolean): Promise<void> {
  await until(() => textOf(page, editor), holds, WITHIN);
}

/** Waits until what GraphiQL keeps of this visit matches. */
export async function visitKeeps(page: Page, key: string, text: RegExp): Promise<void> {
  const kept = () => page.evaluate(`sessionStorage.getItem("graphiql:${key}") ?? ""`) as Promise<string>;
  await until(kept, (now) => text.test(now), WITHIN);
}

/** Waits until the editors hold a tab, and the schema has come. */
export async function isReady(page: Page): Promise<void> {
  for (const editor of ["operation.graphql", "request-headers.json"] as const)
    await becomes(page, editor, Boolean);
  await page.locator(".graphiql-spinner").waitFor({ state: "detached" });
}

async function choose(page: Page, operation: string): Promise<void> {
  const chosen = page.getByRole("tab", { name: operation, selected: true });
  if (await chosen.isVisible()) return;
  await page.getByRole("button", { name: operation, exact: true }).click();
  // GraphiQL reads an editor a moment after it has changed, and stores what it has read. Comments name other tabs.
  await visitKeeps(page, "query", new RegExp(`^(query|mutation|subscription) ${operation}\\b`, "m"));
}

async function execute<D>(page: Page, operation: string): Promise<Reply<D>> {
  const isAnswer = (response: Response) =>
    response.url().endsWith("/graphql") &&
    (response.request().postDataJSON() as { operationName?: string }).operationName === operation;
  const answered = page.waitForResponse(isAnswer);
  await page.getByRole("button", { name: /^Execute query/ }).click();
  const answer = (await (await answered).json()) as Reply<D>;
  await becomes(page, "response.json", (now) => now === JSON.stringify(answer, null, 2));
  return answer;
}
