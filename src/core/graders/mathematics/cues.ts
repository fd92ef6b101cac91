/** @file Finds the sentence that states the answer, by the strength of its cue: “The answer is”, “Therefore”, or none. */
import type { Sentence } from './sentences';
import { withoutBold } from './stated-value';

/** How clearly a sentence states the answer of the whole task. */
export type Strength = 'remark' | 'plain' | 'derived' | 'concluded' | 'announced';

const ANSWER_WORD = String.raw`(?:answers?|ans|antwort|respuesta|réponse|resposta|risposta|ответ|đáp án|odpowiedź|cevap|jawaban)`;
/** “The answer is”, “the correct answer to the question would be”. */
const ANNOUNCES = new RegExp(
  String.raw`(?<![\p{L}])${ANSWER_WORD}(?![\p{L}])[^.:=?]{0,60}?(?:\b(?:is|are|was|would be|should be|must be|comes to|equals|ist|es|est|é|è)\b|[:=])\s*[:=]?|(?:答案|答え|回答|结果|정답|답|उत्तर|الجواب|الإجابة)\s*(?:是|为|は|은|는|है|هو|هي|[:=])\s*[:=]?`,
  'iu',
);
/** “Answer:” at the start of a sentence, or a heading that consists of these words. */
const LABEL = new RegExp(
  String.raw`^(?:(?:the|my|your|our|so)\s+)*(?:final\s+|correct\s+|short\s+)?(?:${ANSWER_WORD}|a|result|final result|答案|答え|回答|정답|답|उत्तर|الجواب|الإجابة)\s*(?:\([^()]{0,30}\)\s*)?(?:[:=]|$)`,
  'iu',
);

/** The text after “the answer is” or “Answer:”. `null`: the sentence has no such words. */
export function afterAnnouncement(sentence: Sentence): string | null {
  const { text } = withoutBold(sentence.text);
  const label = LABEL.exec(text);
  if (label) return text.slice(label[0].length);
  const found = ANNOUNCES.exec(text);
  return found && !/\bnot\b|\b(?:part|step|first|second)\b/i.test(found[0])
    ? text.slice(found.index + found[0].length)
    : null;
}

const CONCLUDES =
  /^(?:∴|(?:and |so,? )?(?:therefore|thus|hence|consequently|accordingly|in conclusion|to conclude|conclusion|in summary|to summari[sz]e|summary|to sum up|overall|ultimately|in the end|as a result|all in all)\b)/i;
const DERIVES =
  /^(?:so|then|final(?:ly)?|in total|in all|altogether|total|that (?:means|gives|leaves|makes)|this (?:means|gives|leaves|makes))\b|=|≈|\b(?:in total|altogether|overall|total)\b|,? so (?!that)/i;

/** The beginnings of sentences that comment on an answer, check it, or turn to the reader. */
const REMARKS =
  /^\(?(?:(?:and |but |so )?(?:note|n\.?b\b|p\.?s\b|tip|hint|verif|double[- ]check|sanity|proof|explanation|reasoning|rationale|justification|why|assum|disclaimer|caveat|source|references?\b|confidence|bonus|fun fact|remember|recall|keep in mind|bear in mind|please|thank|hope|feel free|if you(?:['’]d| (?:have|need|want|would|like|prefer|are|know|got|get))|you (?:can|could|may) (?:also )?(?:check|verify|see)|by the way|incidentally|interestingly|alternatively|another way|in other words|for (?:comparison|reference|context|example|instance|perspective)|at (?:this|that) (?:rate|pace)|in comparison|compared|by comparison|as a (?:check|reminder|side|quick|cross)|(?:rounded|rounding)\b.{0,60}\b(?:that|this|it|which|would)\b|check|(?:just )?to (?:double[- ]?check|verify|check|confirm|recap|put)|we (?:can|could|may) (?:also )?(?:double[- ]?check|verify|check|confirm|see that)|let(?:['’]s| us| me) (?:also )?(?:double[- ]?check|quickly|verify|check|confirm|know)|i(?:['’]ve| have)? (?:hope|used|assumed|rounded|based)|it(?:['’]s| is) (?:worth|important|interesting)|(?:the|this|your|our) (?:question|problem) (?:asks|asked|wants|says|states|gives)|we (?:were|are) (?:asked|given|told)|you asked|given (?:data|information)))/i;
/** Sentences about the statement before them: “This is 2 more than Al has.” */
const COMMENTS =
  /^(?:(?:however|also|and|but),? )?(?:this|that|these|those)\b.{0,80}(?:\b(?:than|compared|percent|times|twice|half|as (?:much|many)|average|about|approximately|roughly|within|below|above|enough|because|assum\w*|match\w*|correct|checks?|makes sense|confirm\w*|agree\w*|consistent|could|might|may|not|per|each)\b|%)|^\([^()]*\)?[.!]?$|^if\b.{1,200}\b(?:would|could|might)\b|\b(?:could|might)\b.{1,200}\bif\b/i;

/** Headings and labels of a section that comes after the answer. */
const SECTIONS =
  /^(?:verification|verifying|check|checking|proof|explanation|reasoning|rationale|justification|notes?|key (?:points|takeaways|steps)|references?|sources?|breakdown|(?:summary of )?(?:the )?steps|how (?:we|i) got)\b[^.]{0,30}:?$/i;

const QUESTION = /[?？]["”']?$/;

export function strengthOf(sentence: Sentence): Strength {
  const { text } = withoutBold(sentence.text);
  if (QUESTION.test(text) || (sentence.isHeading && !CONCLUDES.test(text))) return 'remark';
  if (REMARKS.test(text)) return 'remark';
  if (CONCLUDES.test(text)) return 'concluded';
  return DERIVES.test(text) || sentence.formulas.some((each) => each.includes('=')) ? 'derived' : 'plain';
}

/** Whether a sentence only comments on the statement before it. */
export function isComment(sentence: Sentence): boolean {
  const { text } = withoutBold(sentence.text);
  return COMMENTS.test(text) && !/[=≈]/.test(text);
}

/** Whether a sentence begins a section that explains or checks the answer. */
export function opensSection(sentence: Sentence): boolean {
  const { text } = withoutBold(sentence.text);
  return (
    SECTIONS.test(text.trim()) ||
    /^(?:verification|check|explanation|reasoning|proof|let(?:['’]s| us| me) (?:double[- ]?check|verify|check)\b[^.:]{0,40}[.:])/i.test(
      text,
    )
  );
}
