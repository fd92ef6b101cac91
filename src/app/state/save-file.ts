/**
 * @file Saves a stream as a file. If the browser has a file picker, the stream is written to disk piece by piece. Else the
 * browser collects the whole stream and offers it as a download.
 */

/** Number of bytes that are collected before they become a `Blob`. */
const PART = 2 * 1024 * 1024;

/** The file that the user chose in the file picker, or a download. */
export interface FileTarget {
  /** Writes the file. If this fails or is stopped, no partial file is left. */
  write(stream: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal): Promise<void>;
}

/** Asks where to save, if the browser has a file picker. Needs a user gesture. @returns `null` if the user cancelled */
export type ChooseTarget = (name: string) => Promise<FileTarget | null>;

interface PickerWindow {
  readonly origin: string;
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

export const chooseTarget: ChooseTarget = async (name) => {
  const picker: PickerWindow = window;
  if (!picker.showSaveFilePicker) return { write: (stream, signal) => download(name, stream, signal) };
  try {
    const handle = await picker.showSaveFilePicker({ suggestedName: name });
    return {
      write: async (stream, signal) => stream.pipeTo(await handle.createWritable(), { signal }),
    };
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
};

async function download(
  name: string,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): Promise<void> {
  saveBlob(name, await collected(stream, signal));
}

/** Saves a file through the browser's download. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Firefox reads the URL only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Collects a stream as one `Blob`. Each part becomes a `Blob` as soon as it is complete. The browser keeps
 * the bytes of a `Blob` outside the page's memory, and moves large amounts to disk. In contrast,
 * `new Response(stream).blob()` would hold the whole file in the page's memory.
 */
async function collected(stream: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal): Promise<Blob> {
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const finishPart = () => {
    parts.push(new Blob(pieces));
    pieces = [];
    length = 0;
  };
  const write = (piece: Uint8Array<ArrayBuffer>) => {
    pieces.push(piece);
    length += piece.byteLength;
    if (length >= PART) finishPart();
  };
  await stream.pipeTo(new WritableStream({ write, close: finishPart }), { signal });
  return new Blob(parts);
}

/** A date for a file name, such as `2026-11-20`, in the local time zone. @param at ms since the epoch */
export function dateInName(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Lines as a stream of bytes, read on demand. Cancelling the stream ends the iteration. */
export function streamOf(lines: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await lines.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await lines.return();
    },
  });
}
