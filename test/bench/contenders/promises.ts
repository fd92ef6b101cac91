/**
 * @file Two contenders that use no library. One runs each step as soon as its inputs are there, with the least overhead. The
 * other runs one step at a time.
 */
import type { BenchWorkers, BenchWorkflow, Contender } from '../workflows';

export const promises: Contender = {
  name: 'hand-written promises',
  run: (workflow, workers) => last(workflow, (step, inputs) => workers.call(step, inputs)),
  stream: (workflow, workers, seen) =>
    last(workflow, async (step, inputs) => {
      let output = '';
      for await (const token of workers.stream(step, inputs)) {
        seen(token);
        output += token;
      }
      return output;
    }),
};

function last(
  workflow: BenchWorkflow,
  call: (step: number, inputs: readonly string[]) => Promise<string>,
): Promise<string> {
  const outputs: Promise<string>[] = [];
  for (const [index, step] of workflow.steps.entries()) {
    outputs.push(Promise.all(step.access.map((seen) => outputs[seen] ?? '')).then((inputs) => call(index, inputs)));
  }
  return outputs.at(-1) ?? Promise.resolve('');
}

/** The paper's executor: one step after the other, in the order of the plan. */
export const serial: Contender = {
  name: 'one after the other (the paper)',
  async run(workflow: BenchWorkflow, workers: BenchWorkers) {
    const outputs: string[] = [];
    for (const [index, step] of workflow.steps.entries()) {
      outputs.push(
        await workers.call(
          index,
          step.access.map((seen) => outputs[seen] ?? ''),
        ),
      );
    }
    return outputs.at(-1) ?? '';
  },
};
