/**
 * @file Creates the page's code runner: Python in an isolated frame, called a room (see `room.ts`). Each single call and each
 * session gets a new room.
 */
import type { Clock, CodeRunner } from '../../core/contract';
import { createCodeRunner } from './code-runner';
import { fetchPython } from './files';
import { openRoom, type Room } from './room';

/** The first room sends a snapshot of its Python before any code runs in it. All later rooms start from this snapshot. */
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
