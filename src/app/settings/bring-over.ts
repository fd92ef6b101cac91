/** @file Receives a copy of the data from the page at the former address, in a message between the two windows. */
import * as z from 'zod/mini';
import { abortError } from '../../core/contract';

z.config({ jitless: true });

const messageShape = z.object({
  podium: z.literal('hand-over'),
  /** A backup without keys. `null`: the user declined. */
  file: z.nullable(z.instanceof(Blob)),
  /** Whether the window has nothing more to say. */
  isOver: z.boolean(),
});
export type HandOverMessage = z.infer<typeof messageShape>;

/**
 * Resolves with the backup. `null`: the user declined. Accepts a message only from this window while it shows this origin.
 * @param from the window that shows the page at the former address
 */
export function receiveBackup(from: Window, origin: string, signal: AbortSignal): Promise<File | null> {
  const heard = new AbortController();
  return new Promise<File | null>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(abortError()), { signal: heard.signal });
    const listen = ({ source, origin: sender, data }: MessageEvent<unknown>) => {
      if (source !== from || sender !== origin) return;
      const { success, data: message } = z.safeParse(messageShape, data);
      if (!success) return;
      if (message.isOver) from.close();
      resolve(message.file && new File([message.file], `${new URL(origin).hostname}.podium-backup.jsonl.gz`));
    };
    window.addEventListener('message', listen, { signal: heard.signal });
  }).finally(() => heard.abort());
}
