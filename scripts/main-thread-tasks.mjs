// Records the main-thread tasks of all pages in a browser, for benchmarks.

/**
 * Starts a recording.
 * @param inspector a CDP session of Playwright or Puppeteer that is attached to the whole browser
 * @returns a function that ends the recording. It returns two times in ms. `wall`: the longest
 *   elapsed time of a task. `processor`: the highest processor time of a task, which may be another
 *   task. Processor time excludes interruptions by other programs
 */
export async function recordTasks(inspector) {
  const events = [];
  inspector.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await inspector.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  return async () => {
    const complete = new Promise((resolve) => inspector.once('Tracing.tracingComplete', resolve));
    await inspector.send('Tracing.end');
    await complete;
    const mains = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    const tasks = events.filter(
      ({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && mains.has(`${pid} ${tid}`),
    );
    return {
      wall: Math.max(0, ...tasks.map(({ dur = 0 }) => dur)) / 1000,
      processor: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
    };
  };
}
