/**
 * @file Sanitizes rendered Markdown, in addition to the escaping in the renderer. Nothing in the result can run code, load a
 * resource, or look like a control of the page.
 */
import DOMPurify from 'dompurify';

export function sanitize(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true, mathMl: true },
    ADD_TAGS: ['semantics', 'annotation'],
    ADD_ATTR: ['data-address'],
    FORBID_TAGS: [
      'style',
      'form',
      'input',
      'button',
      'select',
      'textarea',
      'iframe',
      'img',
      'picture',
      'svg',
      'video',
      'audio',
      'source',
      'template',
      'dialog',
      'map',
      'area',
      'link',
      'meta',
      'object',
      'embed',
    ],
    FORBID_ATTR: ['style', 'id', 'name', 'class', 'href', 'src', 'srcset', 'action', 'background', 'ping', 'poster'],
  });
}
