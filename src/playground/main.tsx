import "./style-nonce";
import "graphiql/setup-workers/vite";
import "graphiql/style.css";
import "./playground.css";
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL } from "graphiql";
import { createRoot } from "react-dom/client";
import { headersWith, visitTabs, type Tab } from "./tabs";

/** Where GraphiQL keeps its tabs. A visit is a session: the next one begins with new keys. */
const VISIT = window.sessionStorage;
const TABS = "graphiql:tabState";

/** Beside the page, wherever a proxy has put both. */
const GRAPHQL = new URL("graphql", window.location.href).href;

const fetcher = createGraphiQLFetcher({ url: GRAPHQL, enableIncrementalDelivery: false });

/** The demo's key for payments, where the gateway tells it: to its own page on its own machine. */
async function demoKey(): Promise<string | null> {
  const response = await fetch("playground/settings.json");
  if (!response.ok) return null;
  const { key } = (await response.json()) as { key: string | null };
  return key;
}

/** The tab that was open when this visit's page was left: by itself GraphiQL finds it again without its variables. */
function keptTab(): Pick<Tab, "query" | "variables"> | undefined {
  const kept = VISIT.getItem(TABS);
  if (kept === null) return undefined;
  const { tabs, activeTabIndex } = JSON.parse(kept) as { tabs: Tab[]; activeTabIndex: number };
  return tabs[activeTabIndex];
}

async function open(): Promise<void> {
  const headers = headersWith((await demoKey()) ?? "YOUR_KEY");
  const tabs = visitTabs(headers);
  const shown = keptTab() ?? tabs[0];
  const root = document.getElementById("playground");
  if (!root) throw new Error("the page has no place for the playground");
  // Without its history, which would store the headers, a key among them.
  createRoot(root).render(
    <GraphiQL
      initialQuery={shown.query}
      initialVariables={shown.variables}
      fetcher={fetcher}
      storage={VISIT}
      defaultTabs={tabs}
      defaultHeaders={headers}
      defaultEditorToolsVisibility="variables"
      shouldPersistHeaders={false}
      inputValueDeprecation
      schemaDescription
      plugins={[]}
    >
      <GraphiQL.Logo>
        <span className="umavez">Umavez</span>
      </GraphiQL.Logo>
    </GraphiQL>,
  );
}

void open();
