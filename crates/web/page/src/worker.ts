// The worker: it has the module, and answers one question after the other.
import { Module } from "./wasm";

interface Order {
  number: number;
  ask: unknown;
  files: Uint8Array[];
}
interface Start {
  code: Uint8Array<ArrayBuffer>;
  recordings: Uint8Array;
  /** Reports of machines that go before those of the module; empty where there are none. */
  reports: Uint8Array;
}

let ready: Promise<Module> | undefined;

async function begin(start: Start): Promise<Module> {
  const module = await Module.of(start.code);
  module.ask({ keep: {} }, [start.recordings]);
  if (start.reports.length > 0) module.ask({ reports: {} }, [start.reports]);
  return module;
}

self.onmessage = async (event: MessageEvent<{ start: Start } | { order: Order }>) => {
  if ("start" in event.data) {
    ready = begin(event.data.start);
    return;
  }
  const { number, ask, files } = event.data.order;
  try {
    const module = await ready;
    self.postMessage({ number, answer: module?.ask(ask, files) });
  } catch (error) {
    self.postMessage({ number, failed: String(error) });
  }
};
