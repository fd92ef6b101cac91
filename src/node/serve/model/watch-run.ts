/** @file Passes the events of a live run to a listener, starting with the run's first event. */
import { applyEvent, isKnownEvent, type Run, type RunEvent, type StoredEvent } from '../../../core/contract';
import type { LiveRun, Runs } from '../../../core/runs';

/**
 * Calls the listener once for each event, in order. Leaves out events of unknown types. An abort stops the run.
 * @returns the ended run
 */
export async function watchRun(
  live: LiveRun,
  runs: Runs,
  listener: (run: Run, event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Run> {
  let shown: Run | null = null;
  const show = (event: StoredEvent) => {
    if (shown && event.seq <= shown.lastSeq) return;
    shown = applyEvent(shown, event);
    if (shown && isKnownEvent(event)) listener(shown, event);
  };
  const early: StoredEvent[] = [];
  let receive = (event: StoredEvent): void => void early.push(event);
  const unsubscribe = live.subscribe((_run, event) => receive(event));
  const stop = () => live.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const opened = await runs.open(live.id);
    for (const event of [...(opened?.events ?? []), ...early]) show(event);
    receive = show;
    return await live.done;
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', stop);
  }
}
