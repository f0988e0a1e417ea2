// The page's side of the worker: questions by number, and a new worker where one has failed.

interface Waiting {
  done: (text: string) => void;
  failed: (error: Error) => void;
}

async function unpacked(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = document.getElementById(id)?.textContent ?? "";
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Client {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  private constructor(
    private readonly code: Uint8Array<ArrayBuffer>,
    private readonly recordings: Uint8Array<ArrayBuffer>,
  ) {}

  static async start(): Promise<Client> {
    const client = new Client(await unpacked("module"), await unpacked("recordings"));
    client.begin();
    return client;
  }

  private begin(): void {
    const script = JSON.parse(document.getElementById("worker")?.textContent ?? '""') as string;
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    const reports = new TextEncoder().encode(document.getElementById("reports")?.textContent ?? "");
    worker.postMessage({ start: { code: this.code, recordings: this.recordings, reports } });
    worker.onmessage = (event: MessageEvent<{ number: number; answer?: string; failed?: string }>) => {
      const { number, answer, failed } = event.data;
      const waiting = this.waiting.get(number);
      this.waiting.delete(number);
      if (answer !== undefined) waiting?.done(answer);
      else {
        this.again();
        waiting?.failed(new Error(failed));
      }
    };
    this.worker = worker;
  }

  /** Makes the worker anew: its module has ended. */
  private again(): void {
    this.worker?.terminate();
    for (const waiting of this.waiting.values()) waiting.failed(new Error("the worker has ended"));
    this.waiting.clear();
    this.begin();
  }

  text(ask: unknown, files: Uint8Array[] = []): Promise<string> {
    const number = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(number, { done, failed });
      this.worker?.postMessage({ order: { number, ask, files } });
    });
  }

  /** Returns the answer; throws its error. */
  async ask<T>(ask: unknown, files: Uint8Array[] = []): Promise<T> {
    const answer = JSON.parse(await this.text(ask, files)) as T & { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
}
