import { expect, test } from 'vitest';
import { parseRunValue, runValue, VerifiedTexts } from '../../../src/platform/store/run-file';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const events = stampEvents(finishedRunBodies());

test.each([{ seq: 1e12 - 1 }, { segment: 9_999 }, { elapsed: 1e12 }])(
  'rejects a run whose last event is at a limit, because the import must append an event: %o',
  (last) => {
    const full = events.map((event, index) => (index === events.length - 1 ? { ...event, ...last } : event));
    const verified = new VerifiedTexts();
    expect(parseRunValue(runValue(events), verified).ok).toBe(true);
    expect(parseRunValue(runValue(full), verified)).toMatchObject({ ok: false });
  },
);

test('rejects a run that was labeled more than 1,000 times', () => {
  const [first] = events;
  const seq = (index: number) => events.length + index;
  const labels = Array.from({ length: 1_001 }, (_, index) => ({
    ...first,
    type: 'run-labelled' as const,
    label: `label ${index}`,
    on: true,
    seq: seq(index),
  }));
  const value = { ...runValue(events), events: [...events, ...labels] };
  expect(parseRunValue(value, new VerifiedTexts())).toMatchObject({
    ok: false,
    message: expect.stringContaining('labelled, edited or resumed'),
  });
});
