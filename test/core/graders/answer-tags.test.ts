import { expect, test } from 'vitest';
import { firstTagged, lastTagged } from '../../../src/core/graders/answer-tags';

test.each([
  ['letters whose lower case has more characters', 'İİİİ <answer>42</answer>', '42'],
  ['tags in upper case', '<ANSWER>42</Answer>', '42'],
  ['several pairs', '<answer>1</answer> <answer>2</answer> <answer>', '2'],
  ['a closing tag without an opening one', '42</answer>', null],
  ['a second closing tag', '<answer>42</answer> is the answer</answer>', '42'],
  ['an empty pair', '<answer> </answer>', null],
])(
  'lastTagged returns the text of the last complete pair of tags, or null, for a response with %s',
  (_, response, answer) => {
    expect(lastTagged(response)).toBe(answer);
  },
);

test.each([
  ['several pairs', '<answer> 1 </answer> <answer>2</answer>', '1'],
  ['tags in upper case', '<ANSWER>42</Answer>', '42'],
  ['a closing tag before the opening one', '</answer> <answer>42</answer>', '42'],
  ['an opening tag in the pair', '<answer>4<answer>2</answer>', '4<answer>2'],
  ['no closing tag', '<answer>42', null],
  ['no tags', '42', null],
])(
  'firstTagged returns the text of the first complete pair of tags, or null, for a response with %s',
  (_, response, answer) => {
    expect(firstTagged(response)).toBe(answer);
  },
);
