import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { App } from "../app";

/** Where the build puts the pages, as seen from dist and from the sources. */
const BUILDS = ["../../playground", "../../dist/playground"].map((place) => path.join(__dirname, place));

/** What the build writes where a nonce belongs. */
const NONCE = /PLAYGROUND_NONCE/g;

/** A host that a name server cannot have pointed at this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/**
 * Serves the playground at /playground, where it is switched on.
 * @param demoKey prefilled where the page is opened on this machine; null outside the demo
 */
export async function servePlayground(
  fastify: FastifyInstance,
  app: App,
  demoKey: string | null,
): Promise<void> {
  if (!app.config.playground) return;
  const build = BUILDS.find((place) => fs.existsSync(path.join(place, "index.html")));
  if (build === undefined) {
    app.log.warn("the playground is not built (npm ci && npm run build): it is not served");
    return;
  }
  // As seen from /playground, so that a proxy may put both below a path.
  const page = fs.readFileSync(path.join(build, "index.html"), "utf8").replaceAll('"./', '"playground/');
  const offered = LOOPBACK.test(app.config.host) ? demoKey : null;
  await fastify.register(async (scope) => {
    // Workers take their policy from their own answer, so files carry it too.
    scope.addHook("onRequest", async (_request, reply) => void protect(reply, ""));
    await scope.register(fastifyStatic, {
      root: path.join(build, "assets"),
      prefix: "/playground/assets/",
      index: false,
      decorateReply: false,
      preCompressed: true,
      immutable: true,
      maxAge: "365d",
    });
    scope.get("/playground", async (_request, reply) => sendPage(reply, page));
    scope.get("/playground/", async (_request, reply) => reply.redirect("../playground", 308));
    scope.get("/playground/settings.json", async (request, reply) => sendSettings(request, reply, offered));
  });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(18).toString("base64");
  protect(reply, ` 'nonce-${nonce}'`);
  return reply.type("text/html; charset=utf-8").send(page.replace(NONCE, nonce));
}

/** Decision 8 says what each directive is for. */
function protect(reply: FastifyReply, styleNonce: string): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    `style-src-elem 'self'${styleNonce}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  reply.header("content-security-policy", policy.join("; "));
  reply.header("cross-origin-resource-policy", "same-origin");
}

/** The demo's key, to our own page alone: neither to another site's, nor to a name that was pointed at this machine. */
function sendSettings(request: FastifyRequest, reply: FastifyReply, key: string | null): FastifyReply {
  const site = request.headers["sec-fetch-site"];
  const isOurs = LOOPBACK.test(request.hostname) && (site === undefined || site === "same-origin");
  return reply.send({ key: isOurs ? key : null });
}
