import { expect, it } from 'vitest';
import { partsOf, withWorker } from '../../../src/core/conductor/solo';

const info = { id: 'template:consensus', label: 'Consensus', kind: 'template' as const };

it.each(['w1', 'w@x', 'local:a@b'])(
  'partsOf recovers the template and the worker from an id that withWorker made: %s',
  (id) => {
    expect(partsOf(withWorker(info, { id, name: 'W' }).id)).toEqual({ template: info.id, worker: id });
  },
);

it('partsOf does not split the id of a Conductor that is not a template, even if it contains an @', () => {
  expect(partsOf('endpoint:w@x')).toEqual({ template: 'endpoint:w@x', worker: null });
});
