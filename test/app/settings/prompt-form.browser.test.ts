import { describe, expect, test } from 'vitest';
import { PromptForm, PromptForms, type PromptScope } from '../../../src/app/settings/prompt-form.svelte';
import { DEFAULT_TEMPLATE } from '../../../src/core/conductor/prompt-template';
import { MOST_PROMPTS, NO_PROMPTS, type ConductorPrompts } from '../../../src/core/contract';

const ALL: PromptScope = { model: null, trained: {} };
const DESK: PromptScope = { model: 'endpoint:desk', trained: {} };

/** A stand-in for the preferences, with saved prompts. */
function store(prompts: ConductorPrompts = NO_PROMPTS) {
  const kept = { prompts };
  return { kept, read: () => kept.prompts };
}

describe('the form for one prompt', () => {
  test('shows the default, and saves only what differs from it', () => {
    const form = new PromptForm(store().read, ALL);
    expect([form.fixed, form.question]).toEqual([DEFAULT_TEMPLATE.fixed, DEFAULT_TEMPLATE.question]);
    expect([form.isDefault, form.isUnsaved, form.saved]).toEqual([true, false, NO_PROMPTS]);
    form.showWorkers = 'number';
    form.fixed = 'Plan in rhymes.';
    expect(form.prompt).toEqual({
      template: { fixed: 'Plan in rhymes.', question: DEFAULT_TEMPLATE.question },
      showWorkers: 'number',
    });
    form.reset();
    expect(form.isDefault).toBe(true);
  });

  test('starts with the prompt for all Conductors, and saves only a Conductor’s differences from it', () => {
    const { read } = store({
      all: { later: 'All: {{rounds}} {{choice}}' },
      single: { 'endpoint:desk': { examples: 'none' } },
    });
    const form = new PromptForm(read, DESK);
    expect([form.later, form.examples]).toEqual(['All: {{rounds}} {{choice}}', 'none']);
    form.examples = 'other';
    expect(form.saved).toEqual({ all: read().all, single: {} });
  });

  test('starts with the prompt that the model was trained with, not with the prompt for all Conductors', () => {
    const { read } = store({ all: { showWorkers: 'name' }, single: {} });
    const form = new PromptForm(read, { model: 'webllm:own', trained: { showWorkers: 'number' } });
    expect([form.showWorkers, form.isDefault]).toEqual(['number', true]);
  });

  test('is invalid without the placeholder {{question}}, or if too many Conductors have their own prompt', () => {
    const form = new PromptForm(store().read, ALL);
    form.question = '{{workers}}';
    expect(form.problem).toContain('{{question}} is missing');
    const single = Object.fromEntries(Array.from({ length: MOST_PROMPTS }, (_, index) => [`endpoint:${index}`, {}]));
    const another = new PromptForm(store({ all: {}, single }).read, DESK);
    expect(another.problem).toBeNull();
    another.examples = 'none';
    expect(another.problem).toContain(`At most ${MOST_PROMPTS} Conductors`);
  });

  test('copies the shown examples for the user to edit, and keeps the edits while “none” is chosen', () => {
    const form = new PromptForm(store().read, ALL);
    form.choose('own', 'fine');
    expect(form.ownExamples).toContain('Example 1\n');
    form.ownExamples = 'Mine.';
    form.choose('none', 'fine');
    form.choose('own', 'fine');
    expect(form.ownExamples).toBe('Mine.');
  });
});

describe('the forms for several prompts', () => {
  test('keep unsaved text while another form is edited', () => {
    const forms = new PromptForms(store().read);
    forms.of(ALL).fixed = 'For all.';
    forms.of(DESK).fixed = 'For Desk.';
    expect([forms.of(ALL).fixed, forms.of(DESK).fixed]).toEqual(['For all.', 'For Desk.']);
  });

  test('are saved one after the other without replacing each other’s prompts', () => {
    const { kept, read } = store();
    const forms = new PromptForms(read);
    const [all, desk] = [forms.of(ALL), forms.of(DESK)];
    all.showWorkers = 'number';
    desk.examples = 'none';
    kept.prompts = all.saved;
    kept.prompts = desk.saved;
    expect(read()).toEqual({ all: { showWorkers: 'number' }, single: { 'endpoint:desk': { examples: 'none' } } });
  });

  test('show a newly saved prompt unless the user has typed into the form', () => {
    const { kept, read } = store();
    const forms = new PromptForms(read);
    expect(forms.of(DESK).examples).toBe('other');
    kept.prompts = { all: { examples: 'none' }, single: {} };
    expect(forms.of(DESK).examples).toBe('none');
  });
});
