/**
 * @file Runs the workflows of the benchmarks with LangGraph.js: a `StateGraph` with one node per step. The
 * graph is compiled again for each workflow, because every plan differs.
 */
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph/web';
import type { BenchWorkers, BenchWorkflow, Contender } from '../workflows';

const State = Annotation.Root({
  outputs: Annotation<Record<string, string>>({
    reducer: (left, right) => ({ ...left, ...right }),
    default: () => ({}),
  }),
});

function compile(
  workflow: BenchWorkflow,
  call: (step: number, inputs: string[], config: LangGraphRunnableConfig) => Promise<string>,
) {
  const graph = new StateGraph(State);
  const added = graph as unknown as { addNode: (...rest: unknown[]) => void; addEdge: (...rest: unknown[]) => void };
  const seenBySomeone = new Set(workflow.steps.flatMap((step) => step.access));
  for (const [index, step] of workflow.steps.entries()) {
    added.addNode(`step${index}`, async (state: typeof State.State, config: LangGraphRunnableConfig) => {
      const inputs = step.access.map((seen) => state.outputs[`step${seen}`] ?? '');
      return { outputs: { [`step${index}`]: await call(index, inputs, config) } };
    });
  }
  for (const [index, step] of workflow.steps.entries()) {
    if (step.access.length === 0) added.addEdge(START, `step${index}`);
    else
      added.addEdge(
        step.access.length === 1 ? `step${step.access[0]}` : step.access.map((seen) => `step${seen}`),
        `step${index}`,
      );
    if (!seenBySomeone.has(index)) added.addEdge(`step${index}`, END);
  }
  return graph.compile();
}

export const langGraph: Contender = {
  name: 'LangGraph.js',
  async run(workflow, workers: BenchWorkers) {
    const app = compile(workflow, (step, inputs) => workers.call(step, inputs));
    const state = await app.invoke({ outputs: {} });
    return state.outputs[`step${workflow.steps.length - 1}`] ?? '';
  },
  async stream(workflow, workers, seen) {
    const app = compile(workflow, async (step, inputs, config) => {
      let output = '';
      for await (const token of workers.stream(step, inputs)) {
        config.writer?.(token);
        output += token;
      }
      return output;
    });
    let output = '';
    for await (const token of await app.stream({ outputs: {} }, { streamMode: 'custom' })) {
      seen(String(token));
      output += String(token);
    }
    return output;
  },
};
