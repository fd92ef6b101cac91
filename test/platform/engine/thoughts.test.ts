/** @file Tests how the thoughts of local models are separated from their answers. */
import { expect, it } from 'vitest';
import { ThinkTagSplitter, type EngineEvent } from '../../../src/core/contract';
import { partThoughts } from '../../../src/platform/engine/thoughts';

const ENDING: EngineEvent = { type: 'finished', usage: null, cost: 0, finishReason: 'stop' };
const content = (text: string): EngineEvent => ({ type: 'delta', channel: 'content', text });

function channelsOf(pieces: readonly string[], splitter: ThinkTagSplitter | null) {
  const events = [...pieces.map(content), ENDING].flatMap((event) => partThoughts(event, splitter));
  expect(events.at(-1)).toBe(ENDING);
  const textOf = (channel: string) =>
    events.map((event) => (event.type === 'delta' && event.channel === channel ? event.text : '')).join('');
  return { reasoning: textOf('reasoning'), content: textOf('content') };
}

it('thoughts become reasoning, wherever the text is split', () => {
  const text = '<think>\nSix times seven…\n</think>\n\nIt is <b>42</b>.';
  for (let cut = 0; cut <= text.length; cut++) {
    expect(channelsOf([text.slice(0, cut), text.slice(cut)], new ThinkTagSplitter())).toEqual({
      reasoning: '\nSix times seven…\n',
      content: 'It is <b>42</b>.',
    });
  }
});

it('an answer without thoughts is unchanged', () => {
  for (const text of ['It is 42.', '<thin', ' <', '']) {
    expect(channelsOf([...text], new ThinkTagSplitter())).toEqual({ reasoning: '', content: text });
  }
});

it('think tags stay in the answer if no splitter is used, for example under a grammar', () => {
  const text = '<think>is part of the plan</think>';
  expect(channelsOf([text], null)).toEqual({ reasoning: '', content: text });
});
