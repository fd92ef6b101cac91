/**
 * @file Creates the page's code runner. It runs Python in isolated frames, called rooms (see `room.ts`). Each run and each
 * session gets a new room.
 */
import type { Clock, CodeRunner } from '../../core/contract';
import { createCodeRunner } from './code-runner';
import { fetchPython } from './files';
import { openRoom, type Room } from './room';

/** The first room returns a snapshot of Python's memory before it runs any code. All later rooms start from this snapshot. */
export function createSandbox(clock: Clock): CodeRunner {
  let snapshot: Blob | null = null;
  const openNext = async (): Promise<Room> => {
    const files = await fetchPython();
    if (snapshot) {
      try {
        return await openRoom({ ...files, snapshot });
      } catch {
        // The browser may have discarded the snapshot, for example because the disk is full.
        snapshot = null;
      }
    }
    const room = await openRoom(files);
    ({ snapshot } = room);
    return room;
  };
  return createCodeRunner({ openRoom: openNext, clock });
}
