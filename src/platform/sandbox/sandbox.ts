/** @file The sandbox as the page uses it: Python in a room of its own. */
import type { Clock, CodeRunner } from '../../core/contract';
import { createCodeRunner } from './code-runner';
import { fetchPython } from './files';
import { openRoom } from './room';

export function createSandbox(clock: Clock): CodeRunner {
  return createCodeRunner({ openRoom: async () => openRoom(await fetchPython()), clock });
}
