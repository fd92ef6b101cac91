/** @file Carries out one task of a Web Worker, or of a thread of Node, that decodes a table: opening it, or reading its rows. */
import { fault, FaultError, toFault } from '../../../core/contract';
import type { ByteSource } from '../byte-source';
import { readHead, readTable } from '../open-table';
import { readOrder, type ByteRequest, type TableOrder, type TableReport, type TableTask } from './messages';

/** Maximum number of parts that the page has not used yet. While it uses one part, the next ones are decoded. */
const AHEAD = 4;
/** Maximum number of chunks of a stream that are requested before they are needed. */
const CHUNKS_AHEAD = 2;

/** Sends a report to the page. */
type Post = (report: TableReport) => void;

/** @returns the receiver of the page's messages */
export function serveTable(post: Post): (data: unknown) => void {
  const bytes = new RemoteBytes(post);
  let unused = 0;
  let wake = () => {};
  const room = async () => {
    while (unused >= AHEAD) await new Promise<void>((resolve) => (wake = resolve));
    unused += 1;
  };
  // The page ends the whole Web Worker instead.
  const { signal } = new AbortController();

  async function read(task: TableTask): Promise<void> {
    const source = bytes.source(task.name, task.size);
    const options = { ...task, onProgress: () => post({ type: 'progress' }) };
    if (task.type === 'open') {
      return post({ type: 'opened', head: await readHead(source, task.format, options, signal) });
    }
    for await (const part of readTable(source, task.format, options, signal)) {
      await room();
      post({ type: 'part', part });
    }
  }

  return (data) => {
    const order: TableOrder = readOrder(data);
    switch (order.type) {
      case 'open':
      case 'read':
        return void read(order).then(
          () => post({ type: 'finished' }),
          (thrown: unknown) => post({ type: 'failed', fault: toFault(thrown) }),
        );
      case 'more':
        unused -= 1;
        return wake();
      case 'bytes':
        return bytes.receive(order.id, order.bytes);
      case 'no-bytes':
        return bytes.fail(order.id, new FaultError(order.fault));
      default:
        return order satisfies never;
    }
  };
}

interface Waiting {
  readonly resolve: (bytes: ArrayBuffer | null) => void;
  readonly reject: (error: Error) => void;
}

/** Requests the bytes of the file from the page. */
class RemoteBytes {
  readonly #post: Post;
  readonly #waiting = new Map<number, Waiting>();
  #ids = 0;

  constructor(post: Post) {
    this.#post = post;
  }

  receive(id: number, bytes: ArrayBuffer | null): void {
    this.#waiting.get(id)?.resolve(bytes);
    this.#waiting.delete(id);
  }

  fail(id: number, error: FaultError): void {
    this.#waiting.get(id)?.reject(error);
    this.#waiting.delete(id);
  }

  source(name: string, size: number): ByteSource {
    return {
      name,
      size,
      slice: async (start, end) => {
        const bytes = await this.#request((id) => ({ type: 'slice', id, start, end }));
        if (!bytes) throw new FaultError(fault('internal', `A part of ${name} is missing. Try again.`));
        return bytes;
      },
      stream: () => {
        const stream = (this.#ids += 1);
        return new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            pull: async (controller) => {
              const bytes = await this.#request((id) => ({ type: 'chunk', id, stream }));
              if (bytes) controller.enqueue(new Uint8Array(bytes));
              else controller.close();
            },
            cancel: () => this.#post({ type: 'cancel', stream }),
          },
          { highWaterMark: CHUNKS_AHEAD },
        );
      },
    };
  }

  #request(make: (id: number) => ByteRequest): Promise<ArrayBuffer | null> {
    const id = (this.#ids += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post(make(id));
    });
  }
}
