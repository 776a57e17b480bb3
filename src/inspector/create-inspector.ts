import type { IncomingMessage, ServerResponse } from "node:http";
import type { OwnHost } from "../access/own-host.ts";
import type { AboutAnswer } from "./answers.ts";
import { loadApp, type AppBundle } from "./app-bundle.ts";
import { createLibrary } from "./data/library.ts";
import { Shelf } from "./data/shelf.ts";
import { Api } from "./http/api.ts";
import { checkAccess } from "./http/guard.ts";
import type { OnChange } from "./http/live-events.ts";
import { sendPage } from "./http/pages.ts";
import { Query } from "./http/query.ts";
import { refusal, refusalOf } from "./http/refusal.ts";
import { sendRefusal } from "./http/respond.ts";
import type { Store } from "../store/store.ts";

export interface InspectorOptions {
  /** The store to show. It is only read. */
  readonly store?: Store;
  /** Creates the store to show while `store` is empty. Called at most once, when it is needed. */
  readonly demo?: () => Promise<Store>;
  readonly about: () => Omit<AboutAnswer, "isDemo" | "unrecorded">;
  /** Where the pages are served, and who may see them. */
  readonly own: OwnHost;
  /** Reports every change of the store. Without it, the store is polled every two seconds while a page is open. */
  readonly onChange?: OnChange;
  /** Says why the store can no longer be read; undefined if it can. */
  readonly whyGone?: () => string | undefined;
  /** Replaces the app that comes with the package. */
  readonly app?: () => Promise<AppBundle>;
}

export interface Inspector {
  /** Answers a request for one of its pages and returns true. Leaves other requests alone and returns false. */
  pages(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

const ROOT = "/inspector";
const API = `${ROOT}/api/`;

/** Creates the pages that show what was sent, what was left out, and why. Pass each request of your server to `pages` first. */
export function createInspector(options: InspectorOptions): Inspector {
  const { store, demo, about, own, onChange, whyGone, app = loadApp } = options;
  const library = createLibrary(store === undefined ? undefined : new Shelf(store), demo === undefined ? undefined : async () => new Shelf(await demo(), true));
  const api = new Api({ library, about, onChange });

  const answer = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const { pathname } = url;
    try {
      const isApi = pathname.startsWith(API);
      checkAccess(request, own, isApi);
      if (request.method !== "GET" && request.method !== "HEAD")
        throw refusal(405, "METHOD_NOT_ALLOWED", "The inspector is read-only: it accepts GET and HEAD.", "Use GET.");
      if (!isApi) {
        await sendPage(request, response, pathname, app);
        return;
      }
      const gone = whyGone?.();
      if (gone !== undefined) throw refusal(503, "STORE_GONE", gone, "Put it back, or start palimpsest ui with another store.");
      await api.answer(request, response, pathname.slice(API.length), new Query(url.searchParams));
    } catch (error) {
      await sendRefusal(request, response, refusalOf(error));
    }
  };

  return {
    pages: (request, response) => {
      const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
      if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return false;
      const url = URL.parse(request.url ?? "/", "http://inspector");
      if (url === null) return false;
      answer(request, response, url).catch(() => response.destroy());
      return true;
    },
    close: () => api.close(),
  };
}
