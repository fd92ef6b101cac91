/** @file Runs the workflows of the benchmarks with graphai: a declarative graph with one agent node per step. */
import { GraphAI, type AgentFunction, type GraphData } from 'graphai';
import type { BenchWorkflow, Contender } from '../workflows';

async function run(
  workflow: BenchWorkflow,
  call: (step: number, inputs: string[]) => Promise<string>,
): Promise<string> {
  const worker: AgentFunction = async ({ params, namedInputs }) => {
    const inputs: unknown[] = Array.isArray(namedInputs.seen) ? namedInputs.seen : [];
    return { text: await call(Number(params.step), inputs.map(String)) };
  };
  const last = workflow.steps.length - 1;
  const nodes = Object.fromEntries(
    workflow.steps.map((step, index) => [
      `step${index}`,
      {
        agent: 'worker',
        params: { step: index },
        inputs: { seen: step.access.map((seen) => `:step${seen}.text`) },
        isResult: index === last,
      },
    ]),
  );
  const data: GraphData = { version: 0.5, nodes };
  const info = {
    name: 'worker',
    mock: worker,
    samples: [],
    description: '',
    category: [],
    author: '',
    repository: '',
    license: '',
    inputs: {},
    output: {},
  };
  const graph = new GraphAI(data, { worker: { ...info, agent: worker } });
  const results = await graph.run<{ text: string }>(false);
  return results[`step${last}`]?.text ?? '';
}

export const graphai: Contender = {
  name: 'graphai',
  run: (workflow, workers) => run(workflow, (step, inputs) => workers.call(step, inputs)),
  stream: (workflow, workers, seen) =>
    run(workflow, async (step, inputs) => {
      let output = '';
      for await (const token of workers.stream(step, inputs)) {
        seen(token);
        output += token;
      }
      return output;
    }),
};
