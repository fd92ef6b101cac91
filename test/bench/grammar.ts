/**
 * @file Measures in Node how long it takes to compile the grammar of plans and to compute each mask, with a vocabulary of
 * realistic size. A mask lists the tokens that may come next. Compile times are processor times, so that other load has little
 * effect. Mask times are wall times.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DEFAULT_EXAMPLES } from '../../src/core/conductor/examples';
import { formatWorkflow } from '../../src/core/conductor/format';
import { workflowGrammar } from '../../src/core/conductor/grammar';
import type { AccessScheme, Workflow } from '../../src/core/contract';
import { loadXGrammar } from '../../src/platform/engine/xgrammar';
import { median, table } from './report';
import { benchVocabulary } from './vocabulary';

// Node loads XGrammar's UMD bundle as an ES module, so the CommonJS names that the bundle uses must exist globally.
Object.assign(globalThis, { require: createRequire(import.meta.url), __filename: fileURLToPath(import.meta.url) });

/** Size of Qwen2.5's vocabulary without its added tokens. */
const TOKENS = 151_646;
const THOUGHT =
  'This question asks for a plan, two attempts and a check; the stronger worker should decide at the end. Each of them is told what to hand on. ';
const SUBTASK = 'Work through the problem step by step, give the result of each part, then check every number again. ';

const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const examples = DEFAULT_EXAMPLES.map(
  ({ thought, workflow }) => thought + workflow.steps.map(({ subtask }) => subtask).join(' '),
);
const vocabulary = benchVocabulary(TOKENS, [THOUGHT, SUBTASK, ...examples].join(' '));
const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = await loadXGrammar();
const beforeTokens = processorTime();
const end = vocabulary.tokens.length;
const info = await TokenizerInfo.createTokenizerInfo([...vocabulary.tokens, ''], 'byte_level', false, end + 1, [end]);
console.log(
  `\nNode ${process.version}; ${TOKENS} tokens prepared in ${(processorTime() - beforeTokens).toFixed(0)} ms`,
);

/** A plan with the maximum number of steps, each with a subtask of nearly the maximum length. */
function planOf(poolSize: number, maxSteps: number, access: AccessScheme): string {
  const steps: Workflow['steps'] = Array.from({ length: maxSteps }, (_, index) => ({
    worker: index % poolSize,
    subtask: SUBTASK.repeat(5).trim(),
    access: Array.from({ length: index }, (__, earlier) => earlier),
  }));
  return `${THOUGHT.repeat(4).trim()}\n\n${formatWorkflow({ steps }, { access })}`;
}

const rows: string[][] = [];
for (const access of ['binary', 'fine'] as const) {
  for (const poolSize of [2, 5, 9]) {
    for (const maxSteps of [1, 2, 3, 4, 5]) {
      const compiler = await GrammarCompiler.createGrammarCompiler(info, false);
      const began = processorTime();
      const compiled = await compiler.compileGrammar(workflowGrammar({ poolSize, maxSteps, access }));
      const compiling = processorTime() - began;
      const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
      const masks: number[] = [];
      for (const token of vocabulary.encode(planOf(poolSize, maxSteps, access))) {
        const before = performance.now();
        await matcher.getNextTokenBitmask();
        masks.push(performance.now() - before);
        if (!matcher.acceptToken(token)) throw new Error('The grammar rejects a valid plan.');
      }
      const sorted = masks.toSorted((one, other) => one - other);
      const most = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
      rows.push([
        `${poolSize} workers, ${maxSteps} ${maxSteps === 1 ? 'step' : 'steps'}, ${access}`,
        `${compiling.toFixed(0)} ms`,
        `${median(masks).toFixed(2)} ms`,
        `${most.toFixed(2)} ms`,
        String(masks.length),
      ]);
      matcher.dispose();
      compiled.dispose();
      compiler.dispose();
    }
  }
}
table(
  (line) => console.log(line),
  'Grammar with a vocabulary of real size (aim: at most 2 s to compile, 1 ms a mask)',
  ['', 'compile', 'mask, median', 'mask, 95th percentile', 'tokens'],
  rows,
);
