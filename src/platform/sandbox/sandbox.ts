/** @file Creates the page's code runner: Python, in a new room for each run. */
import type { Clock, CodeRunner } from '../../core/contract';
import { createCodeRunner } from './code-runner';
import { fetchPython } from './files';
import { openRoom } from './room';

export function createSandbox(clock: Clock): CodeRunner {
  return createCodeRunner({ openRoom: async () => openRoom(await fetchPython()), clock });
}
