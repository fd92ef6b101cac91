/**
 * @file Saves a stream as a file. Where the browser has a picker it goes straight to the disk, piece by piece; elsewhere the
 * browser gathers it and offers it as a download.
 */

/** Where a file is to go: chosen before anything is read. */
export interface FileTarget {
  /** Stopped or failed, it leaves no half-written file. */
  write(stream: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal): Promise<void>;
}

/** Asks where to. Call from a press of a button. @returns `null` if the user thought better of it */
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
  // The browser, not the page, holds what has come of it, and puts it on disk when it is long.
  const file = await new Response(stream).blob();
  signal.throwIfAborted();
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Firefox begins to read it only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** `2026-11-20`, of the reader's own day. */
export function dateInName(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
