/** @file Workers on a server that solve generated tasks of some domains, and check every planted answer. */
import { MEASURED_FAMILIES, measuredTask } from '../../src/core/measurement/families';
import { GENERATED_TASKS } from '../../src/core/measurement/session/generated-tasks';
import type { MadeTask } from '../../src/core/measurement/session/tasks';
import { chunk, event, openStream, usage, type Reply } from '../fixtures/openai-scenarios';
import type { OpenAiServer } from '../fixtures/openai-server';

/** @param domains the domains whose tasks the worker solves */
export function measuredReply(server: OpenAiServer, domains: readonly string[]): Reply {
  return ({ response, model, messages }) => {
    const body = server.calls(model).at(-1)?.body;
    const seed = typeof body === 'object' && body && 'seed' in body ? Number(body.seed) : 0;
    const prompt = messages.map(({ content }) => content).join('\n');
    openStream(response);
    response.write(event(chunk({ content: answerTo(prompt, seed, domains) })) + event(chunk({}, 'stop')));
    response.write(event({ choices: [], usage: usage(300, 500) }));
    response.end(event('[DONE]'));
  };
}

function answerTo(prompt: string, seed: number, domains: readonly string[]): string {
  const found = taskIn(prompt, seed);
  if (!found) return 'I do not know this task.';
  const { domain, task } = found;
  if (prompt.includes('Verdict on response'))
    return `Verdict on response 1: ${prompt.includes(task.right) ? 'right' : 'wrong'}`;
  return domains.includes(domain) ? task.right : 'Answer: unknown to me';
}

/** Finds the task by generating all tasks of the seed, because a server sees only the question. Calls have 31 bits of a seed. */
function taskIn(prompt: string, seed: number): { domain: string; task: MadeTask } | null {
  for (const { id: family, domain, levels } of MEASURED_FAMILIES) {
    for (let level = 0; level < levels; level++) {
      for (const each of [seed, seed + 2 ** 31]) {
        if (prompt.includes(measuredTask(family, level, each).question))
          return { domain, task: GENERATED_TASKS.make({ family, level, seed: each }) };
      }
    }
  }
  return null;
}
