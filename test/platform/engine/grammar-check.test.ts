import { describe, expect, it } from 'vitest';
import { workflowGrammar } from '../../../src/core/conductor/grammar';
import { FaultError } from '../../../src/core/contract';
import { checkGrammar } from '../../../src/platform/engine/grammar-check';

describe('checkGrammar', () => {
  it('accepts Podium’s own grammar', async () => {
    const grammar = workflowGrammar({ poolSize: 3, maxSteps: 5, access: 'fine' });
    await expect(checkGrammar(grammar)).resolves.toBeUndefined();
  });

  it.each(['', 'nothing', 'root ::= missing', 'root ::= "a', 'root ::= (', 'root ::= [z-a]', 'root ::= "a"{2,1}'])(
    'rejects the invalid grammar “%s”, and then accepts a valid one',
    async (grammar) => {
      const thrown: unknown = await checkGrammar(grammar).catch((because: unknown) => because);
      expect(thrown).toBeInstanceOf(FaultError);
      expect(thrown).toMatchObject({ fault: { code: 'bad-request', retryable: false } });
      await expect(checkGrammar('root ::= "a"')).resolves.toBeUndefined();
    },
  );

  it('checks two valid grammars in parallel', async () => {
    await expect(Promise.all(['root ::= "b"', 'root ::= "c"'].map(checkGrammar))).resolves.toHaveLength(2);
  });
});
