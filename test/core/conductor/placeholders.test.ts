import { describe, expect, it } from 'vitest';
import { conductorPrompt, promptSources } from '../../../src/core/conductor/prompt';
import { DEFAULT_LATER, DEFAULT_TEMPLATE } from '../../../src/core/conductor/prompt-template';
import { PLACEHOLDERS, promptProblem, templateProblem } from '../../../src/core/conductor/placeholders';
import { LONGEST_PROMPT, renderPrompt, type ConductorPrompt, type EarlierRound } from '../../../src/core/contract';
import { request } from './requests';

const { fixed, question } = DEFAULT_TEMPLATE;
const earlier: EarlierRound = {
  workflow: { steps: [{ worker: 0, subtask: 'Solve it.', access: [] }] },
  outputs: ['4'],
  answer: '4',
};

describe('the check of a prompt', () => {
  it('accepts the default prompt', () => {
    expect(promptProblem({})).toBeNull();
    expect(promptProblem({ template: DEFAULT_TEMPLATE, later: DEFAULT_LATER })).toBeNull();
  });

  it.each<[string, ConductorPrompt, string]>([
    ['question', { template: { fixed, question: '{{workers}}' } }, '{{question}} is missing'],
    ['workers', { template: { fixed, question: '{{question}}' } }, '{{workers}} is missing'],
    ['examples', { template: { fixed: 'Plan.', question } }, '{{examples}} is missing'],
    ['rounds', { later: '{{choice}}' }, '{{rounds}} is missing'],
    ['choice', { later: '{{rounds}}' }, '{{choice}} is missing'],
  ])('requires {{%s}}', (_, prompt, words) => {
    expect(promptProblem(prompt)).toContain(`The placeholder ${words}`);
  });

  it('does not require {{examples}} if no examples are chosen', () => {
    expect(promptProblem({ template: { fixed: 'Plan.', question }, examples: 'none' })).toBeNull();
  });

  it('names an unknown placeholder and the allowed placeholders', () => {
    const problem = promptProblem({ template: { fixed, question: `${question} {{Budget}}` } });
    expect(problem).toContain('{{Budget}} is unknown');
    expect(problem).toContain('{{workers}}');
  });

  it('reports which message a misplaced placeholder belongs in', () => {
    const problem = promptProblem({ template: { fixed: `${fixed} {{question}}`, question } });
    expect(problem).toBe('The placeholder {{question}} belongs in the user message.');
  });

  it('rejects overlong texts and blank user-written examples', () => {
    const long = 'x'.repeat(LONGEST_PROMPT + 1);
    expect(promptProblem({ template: { fixed: long, question } })).toContain('At most 20000');
    expect(promptProblem({ examples: 'own', ownExamples: long })).toContain('The text of your examples has');
    expect(promptProblem({ examples: 'own', ownExamples: ' ' })).toContain('Write your examples');
  });

  it('requires only {{question}} in the template that a model was trained with', () => {
    expect(templateProblem({ fixed: '', question: 'Q: {{question}}' })).toBeNull();
    expect(templateProblem({ fixed: '', question: 'Q' })).toContain('{{question}}');
  });
});

it('a rendered prompt contains no placeholder', () => {
  const names = Object.keys(PLACEHOLDERS).map((name) => `{{${name}}}`);
  const of = (field: string) =>
    Object.entries(PLACEHOLDERS)
      .filter(([, placeholder]) => placeholder.field === field)
      .map(([name]) => `{{${name}}}`)
      .join('\n');
  const prompt = { template: { fixed: of('fixed'), question: of('question') }, later: of('later') };
  const requested = request({ prompt, round: 1, earlier: [earlier] });
  const text = JSON.stringify(renderPrompt(conductorPrompt(requested), promptSources(requested)));
  for (const name of names) expect(text).not.toContain(name);
});
