/**
 * @file Determines the domain of a question by rules, without a model and without the internet. The same text always has the
 * same domain. Each rule that matches adds its weight to its domain, and the domain with the highest sum wins. If no rule
 * matches, the domain is `knowledge`.
 *
 * A weight states what a match of its rule means:
 * - 3: the question nearly always belongs to the domain ("integral of", "Python", "poem").
 * - 2: the question usually belongs to the domain ("how many", "why does … float").
 * - 1: a weak hint.
 *
 * The test of this file prints how often the rules are right. It prints this for the questions that were used to write the
 * rules, and separately for held-out questions.
 */
import type { Domain } from '../contract';

interface DomainRule {
  readonly domain: Domain;
  readonly weight: 1 | 2 | 3;
  readonly words: RegExp;
  /** A second pattern that must match, too. */
  readonly and?: RegExp;
}

/**
 * Number of characters that the rules read, from the start of the text. A question usually names its subject early, and pasted
 * text says little about the task.
 */
const LONGEST_READ = 4000;

const RULES: readonly DomainRule[] = [
  // Math: its vocabulary, its notation, and questions for an amount.
  {
    domain: 'maths',
    weight: 3,
    words:
      /\b(?:derivative|integral|integrate|differentiate|equation|polynomial|matri(?:x|ces)|determinant|eigenvalues?|logarithm|factorial|modulo|remainder|divisors?|divisible|divided by|greatest common|least common|prime(?: number|s)?|irrational|theorem|lemma|probability|permutations?|combinations?|perimeter|hypotenuse|triangle|circumference|standard deviation|arithmetic|geometric (?:series|sequence)|square root|fraction|percentage|sum of)\b/i,
  },
  { domain: 'maths', weight: 3, words: /\$[^$\\^_=+]*[\\^_=+][^$]*\$|\\(?:frac|sqrt|sum|int|boxed)\b/ },
  {
    domain: 'maths',
    weight: 3,
    words: /\d\s*(?:[*×·÷^]|\+|(?<=\s)[-−/](?=\s))\s*\d|\b[a-z]\^\d|\d!|\d[a-z]\s*[-+=]/i,
  },
  { domain: 'maths', weight: 3, words: /^\s*(?:prove|show) that\b|\bsolve\b.*=|\bcompute\b/i },
  { domain: 'maths', weight: 2, words: /\d\s*(?:%|percent\b)/i },
  {
    domain: 'maths',
    weight: 2,
    words: /\bhow many (?:ways|\w+ (?:is that|are left|do i|does he|does she))\b|\bhow old\b/i,
  },
  {
    domain: 'maths',
    weight: 2,
    words: /\b(?:twice|half|double|three times|a third) (?:as|of|my|the)\b|\bkm\/h\b.*\bwhen\b/i,
  },
  {
    domain: 'maths',
    weight: 1,
    words: /^(?=[^]*?\d[^]*?\d)(?=[^]*?\b(?:what|how (?:much|many|long|old))\b)/i,
  },

  // Puzzles of logic and numbers, which need the skills of math.
  {
    domain: 'maths',
    weight: 3,
    words:
      /\b(?:(?:logic|number|numbers|maths?|word|brain) ?(?:puzzles?|games?|teasers?|riddles?)|sudoku|magic squares?|clues?(?:\(s\))?\s*:|(?:each|every|a|the same|no) (?:number|digit|card|tile)s? (?:at most|exactly|only|more than|no more than|just) once|(?:smallest|fewest|least|minimum)(?: possible)?(?: number of)? (?:coins|moves|cuts|weighings|crossings|swaps))\b|\bclues?(?:\(s\))?\s*:/i,
  },
  { domain: 'maths', weight: 3, words: /\b(?:knights?|truth[- ]?tellers?)\b/i, and: /\b(?:knaves?|liars?)\b/i },
  {
    domain: 'maths',
    weight: 3,
    words: /\b(?:order|sort|arrange|rank|rearrange|put)\b/i,
    and: /(?:(?<![\d./-])[-−]?\d[\d./]*%?,\s*){2}/,
  },
  {
    domain: 'maths',
    weight: 3,
    words: /\b(?:reach|make|makes|making|hit|hits|get|gets|target|total|amount)\b/i,
    and: /(?:(?<!\d)\d{1,4},\s*){2}\d{1,4}/,
  },
  {
    domain: 'maths',
    weight: 2,
    words: /\b(?:older|younger|taller|shorter|heavier|lighter|faster|slower|bigger|smaller|richer) than\b/i,
    and: /\bwho (?:is|was|are|came|comes|finished|has|owns)\b/i,
  },
  {
    domain: 'maths',
    weight: 2,
    words:
      /\b(?:finished|arrived|came|sits?|lives?|stands?) (?:just |right |immediately |directly |somewhere )?(?:before|after|ahead of|behind|to the (?:left|right) of|left of|right of|next to|between)\b/i,
    and: /\b(?:who|which|what)\b/i,
  },

  // Code: languages, tools and artifacts.
  {
    domain: 'code',
    weight: 3,
    words:
      /\b(?:python|javascript|typescript|java|c\+\+|rust|golang|kotlin|swift|php|ruby|haskell|sql|html|css|bash|shell script|powershell|regex|regular expression|react|svelte|pandas|numpy|django|node\.?js|docker|kubernetes|git|github|json|csv file|api|async|await|callback|unit tests?|compiler|linked list|hash ?map|binary tree|quicksort|time complexity|algorithm|source code|codebase|stack trace|mutex|semaphore|tcp|udp|http|recursion|recursive)\b|\bC#|\bC\+\+/i,
  },
  {
    domain: 'code',
    weight: 3,
    words:
      /```|`[^`]+`|\b(?:def|const|let|var|function|class|import)\s+\w+\s*[({=:]|\bfor \w+ in range\b|=>|\bSELECT\b.+\bFROM\b/,
  },
  {
    domain: 'code',
    weight: 3,
    words:
      /\b(?:write|implement|debug|refactor|fix|code)\b.{0,40}\b(?:function|program|script|class|code|method|query|component|cache|parser)\b/i,
  },
  {
    domain: 'code',
    weight: 2,
    words:
      /\b(?:TypeError|SyntaxError|exception|bug|debug|compile|deploy|database|query|array|indices|integer overflow|pointer|variable|loop|closure|thread|server|endpoint|framework|library)\b/i,
  },

  // Science: natural sciences and explanations of nature.
  {
    domain: 'science',
    weight: 3,
    words:
      /\b(?:physics|chemistry|biology|quantum|relativity|photon|electrons?|protons?|neutrons?|atoms?|atomic|molecul(?:e|es|ar)|chiral|enzymes?|proteins?|dna|rna|genes?|genetic|mitosis|meiosis|mitochondria|photosynthesis|cells?|bacteria|virus(?:es)?|vaccines?|antibiotics?|immun(?:e|ity)|hormones?|neurons?|species|evolution|pH|acids?|isotopes?|half-life|radioactiv\w*|thermodynamic\w*|entropy|gravity|gravitational|friction(?:less)?|acceleration|momentum|wavelength|magnet\w*|electric(?:al)? field|voltage|boiling point|balance the equation|black holes?|galax(?:y|ies)|planets?|stars|telescope)\b/i,
  },
  { domain: 'science', weight: 3, words: /\b(?:[A-Z][a-z]?\d*){2,}\s*(?:\+|->|→)\s*|\b(?:H2O|CO2|NaCl|HCl|CH4|O2)\b/ },
  {
    domain: 'science',
    weight: 2,
    words:
      /^\s*(?:why|how) (?:is|are|do|does|did|can) (?:the (?:sky|sea|sun|moon|earth|body|brain)|water|ice|leaves|we|animals|plants|birds|metals?|a battery|iron|scientists)\b/i,
  },
  {
    domain: 'science',
    weight: 2,
    words:
      /\b(?:scientists?|chemical|temperature|sound travel|speed of (?:light|sound)|moon|energy|oxygen|carbon|climate|organism|metabolism)\b/i,
  },

  // Writing: requests for a text in a certain form or tone.
  {
    domain: 'writing',
    weight: 3,
    words:
      /\b(?:poem|haiku|limerick|sonnet|short story|bedtime story|essay|cover letter|blog post|slogan|caption|tagline|headline|toast|speech|lyrics|product description|press release|newsletter|proofread|paraphrase|summari[sz]e|translate|rewrite|reword|rephrase)\b/i,
  },
  {
    domain: 'writing',
    weight: 3,
    words:
      /^\s*(?:(?:please|can you|could you|i need|help me)\b.{0,12})?\b(?:write|draft|compose)\b.{0,60}\b(?:e-?mail|letter|message|post|note|report|apology|invitation|reply|review|text|story|paragraph|card|bio)\b/i,
  },
  {
    domain: 'writing',
    weight: 3,
    words:
      /\b(?:more|less) (?:polite|formal|friendly|concise)\b|\b(?:sound|sounds) (?:more|less|better|friendl\w+|nicer|like)\b|\b(?:correct|fix|check) (?:the|my) (?:grammar|spelling)\b/i,
  },
  {
    domain: 'writing',
    weight: 3,
    words:
      /\b(?:shorten|continue|turn|polish|improve|edit)\b.{0,30}\b(?:sentence|paragraph|story|notes|text|draft|letter|e-?mail)\b/i,
  },
  {
    domain: 'writing',
    weight: 2,
    words:
      /\b(?:suggest|give me|come up with|think of|i need)\b.{0,30}\b(?:names?|titles?|slogans?|captions?|ideas?)\b|\bbetter title\b|\bhelp me (?:tell|say|ask|thank)\b|\btell me a\b.{0,20}\bstory\b/i,
  },

  // Knowledge: facts about people, places, times and words.
  { domain: 'knowledge', weight: 2, words: /^\s*(?:who|when|where|in (?:which|what) year)\b/i },
  {
    domain: 'knowledge',
    weight: 2,
    words:
      /\b(?:capital|currency|language|president|king|queen|author|novel|painted|invented|founded|continent|countr(?:y|ies)|river|mountain|island|war|treaty|century|religion|film|album|sport|team)\b/i,
  },
  { domain: 'knowledge', weight: 1, words: /^\s*(?:which|what (?:is|are|was|were|does)|name)\b/i },
];

/** The domain of a question. */
export function domainOf(question: string): Domain {
  const read = question.slice(0, LONGEST_READ);
  const sums = new Map<Domain, number>();
  for (const { domain, weight, words, and } of RULES) {
    if (words.test(read) && (and?.test(read) ?? true)) sums.set(domain, (sums.get(domain) ?? 0) + weight);
  }
  const best = Math.max(0, ...sums.values());
  // In a tie, a domain that describes the requested result (`code`, `writing`) wins over a subject. `knowledge` comes last.
  return TIE_ORDER.find((domain) => best > 0 && sums.get(domain) === best) ?? 'knowledge';
}

const TIE_ORDER: readonly Domain[] = ['code', 'writing', 'maths', 'science', 'knowledge'];
