import katex from 'katex'
import { Marked, type Token, type Tokens } from 'marked'
import { heldPicture, safeLink } from '../markdown/link.ts'
import { type MathToken, math } from '../markdown/math.ts'
import { type Html, html, raw } from './html.ts'

const extensions = math.map((extension) => ({
  ...extension,
  renderer: (token: Tokens.Generic) => formula(token as MathToken).html,
}))

const marked = new Marked({
  extensions,
  renderer: {
    html: ({ text }) => html`${text}`.html,
    // a report asks for nothing from elsewhere
    image: ({ href, text }) =>
      (heldPicture(href) ? html`<img class="diagram" src="${href}" alt="${text}">` : html`${text}`).html,
    link({ href, tokens }) {
      const text = raw(this.parser.parseInline(tokens as Token[]))
      return safeLink(href) ? html`<a href="${href}" rel="noopener noreferrer">${text}</a>`.html : text.html
    },
  },
})

/** Markdown as HTML, formulas as MathML; HTML in it is shown as the text it is, and so is what is too deeply nested. */
export function markdownHtml(source: string): Html {
  try {
    return raw(marked.parse(source, { async: false }))
  } catch {
    return html`<pre>${source}</pre>`
  }
}

function formula({ tex, display }: MathToken): Html {
  try {
    return raw(
      katex.renderToString(tex, { output: 'mathml', displayMode: display, trust: false, strict: false, maxSize: 50 }),
    )
  } catch {
    return html`<code>${tex}</code>`
  }
}
