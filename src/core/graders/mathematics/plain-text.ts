/** @file Converts a response to plain text with the digits and signs that the search for answers expects. */

/** Begins and ends bold text in normalized text. It is a private-use character, which `normalized` removes from responses. */
export const BOLD = '\ue001';

/** Only this many UTF-16 units at the end of a response are searched. This limits the time for hostile text. */
const SEARCHED = 20_000;

const VULGAR: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅕': '1/5',
  '⅖': '2/5',
  '⅗': '3/5',
  '⅘': '4/5',
  '⅙': '1/6',
  '⅚': '5/6',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
};

/** The end of a response, without thinking and without later turns of a chat, with ASCII digits and signs. */
export function normalized(response: string): string {
  return withAsciiDigits(withAsciiMinus(withoutTurns(withoutThinking(response)).slice(-SEARCHED)))
    .replace(/\r\n?/g, '\n')
    .replace(/[\ue000-\ue00f\u200b-\u200f\u2060\ufeff]/g, '');
}

/** Replaces Unicode minus signs with ASCII minus signs. */
export function withAsciiMinus(text: string): string {
  return text.replaceAll('\u2212', '-');
}

/** Replaces full-width characters, digits of other scripts and fractions such as ½ with ASCII characters. */
export function withAsciiDigits(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',')
    .replace(/(?<=\d)(?=[½⅓⅔¼¾⅕-⅚⅛-⅞])/g, ' ')
    .replace(/[½⅓⅔¼¾⅕-⅚⅛-⅞]/g, (sign) => VULGAR[sign] ?? sign);
}

/** The code of the digit zero in the scripts whose digits models use: Arabic, Persian, Devanagari, Bengali, Tamil and Thai. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0be6, 0x0e50];

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** Removes a model's thinking before its response. The thinking stays if it has no closing tag, or if nothing follows it. */
function withoutThinking(response: string): string {
  const end = response.lastIndexOf('</think>');
  const rest = end < 0 ? response : response.slice(end + '</think>'.length);
  return rest.trim() ? rest : response;
}

/** Removes what a model wrote after the end of its turn, such as the next question. */
function withoutTurns(response: string): string {
  const end = response.search(/<\|(?:im_end|im_start|eot_id|endoftext|end)\|>/);
  return end > 0 && response.slice(0, end).trim() ? response.slice(0, end) : response;
}
