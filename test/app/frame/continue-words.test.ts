import { describe, expect, it } from 'vitest';
import { continueWords } from '../../../src/app/frame/continue-words';

const desk = { name: 'Desk', model: 'gpt-4o', origin: 'https://api.example.com', price: { input: 2, output: 8 } };
const question = { changes: [], calls: [], maxTokens: 4096 };

describe('the confirmation before a run continues', () => {
  it('names the old and the new model if a worker’s model has changed', () => {
    const changes = [{ before: desk, now: { ...desk, model: 'gpt-4o-mini' } }];
    expect(continueWords({ ...question, changes })).toEqual({
      title: 'Continue with different workers?',
      sentences: ['This run used gpt-4o for Desk. Desk now uses gpt-4o-mini.'],
      action: 'Continue with gpt-4o-mini',
    });
  });

  it('names the old and the new address if a worker’s address has changed', () => {
    const changes = [{ before: desk, now: { ...desk, origin: 'http://localhost:1234' } }];
    expect(continueWords({ ...question, changes }).sentences).toEqual([
      'This run called Desk at https://api.example.com. Desk is now at http://localhost:1234.',
    ]);
  });

  it('says that the steps of a missing worker will fail', () => {
    const changes = [{ before: desk, now: null }];
    expect(continueWords({ ...question, changes })).toMatchObject({
      sentences: ['Desk is no longer set up. Its steps will fail.'],
      action: 'Continue',
    });
  });

  it('names the substitute if the Conductor of the run is missing', () => {
    const gone = { name: 'Gone', model: 'gone-1', origin: null, price: null };
    const builtIn = { name: 'Built in, trained policy', model: '', origin: null, price: null };
    const changes = [{ before: gone, now: builtIn, isSubstitute: true }];
    expect(continueWords({ ...question, changes })).toEqual({
      title: 'Continue with another Conductor?',
      sentences: ['The Conductor Gone is not available. This Conductor plans instead: Built in, trained policy.'],
      action: 'Continue',
    });
  });

  it('lists each worker once, with its price, if the run came from a file', () => {
    const free = { ...desk, name: 'Shelf', price: null };
    expect(continueWords({ ...question, calls: [desk, desk, free] })).toEqual({
      title: 'Continue a run from a file?',
      sentences: [
        'This run came from a file. Continuing it calls:',
        'Desk: gpt-4o at https://api.example.com, $2 in, $8 out per million tokens, up to 4,096 tokens per answer.',
        'Shelf: gpt-4o at https://api.example.com, price unknown, up to 4,096 tokens per answer.',
      ],
      action: 'Continue',
    });
  });

  it('shortens the very long name of a model', () => {
    const changes = [{ before: { ...desk, model: 'x'.repeat(10_000) }, now: desk }];
    expect(continueWords({ ...question, changes }).sentences[0]?.length).toBeLessThan(300);
  });
});
