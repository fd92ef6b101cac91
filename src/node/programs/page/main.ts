/**
 * @file The script of the Chromium page that runs programs for the command line. The page uses the
 * same sandbox as the app.
 */
import type { CodeSession } from '../../../core/contract';
import { systemClock } from '../../../platform/clock';
import { createSandbox } from '../../../platform/sandbox/sandbox';
import type { ProgramRoom } from './program-room';

const sandbox = createSandbox(systemClock);
const sessions = new Map<number, CodeSession>();
/** Never aborted. To stop a program, the command line closes the page. */
const { signal } = new AbortController();
let opened = 0;

const room: ProgramRoom = {
  async open() {
    const session = await sandbox.open(signal);
    opened += 1;
    sessions.set(opened, session);
    return opened;
  },
  async run(session, code, request) {
    if (session === null) return sandbox.run(code, request, signal);
    const open = sessions.get(session);
    if (!open) throw new Error(`Session ${session} is not open.`);
    return open.run(code, request, signal);
  },
  close(session) {
    sessions.get(session)?.close();
    sessions.delete(session);
  },
};

globalThis.podiumPrograms = room;
