import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Guesses, Texts } from '../../../renderer/examples/ExampleTexts.tsx'

it('marks in a passage what is right and what was answered, also where they overlap or there is none', () => {
  const passage = { name: 'passage', text: 'greta met the fisher', answers: [{ start: 10, end: 20 }] }
  const texts = [{ name: 'question', text: 'whom ?' }, passage]
  const said = renderToStaticMarkup(<Texts texts={texts} answers={[{ start: 6, end: 13 }]} />)
  expect(said.replaceAll(/ title="[^"]*"/g, '')).toContain(
    '<span>greta </span><mark data-said="1">met </mark><mark data-right="true" data-said="1">the</mark><span data-right="true"> fisher</span>',
  )
  expect(said).toContain('title="right, answered"')
  const none = renderToStaticMarkup(<Texts texts={texts} answers={[{ start: -1, end: -1 }]} />)
  expect(none).not.toContain('<mark')
})

it('shows guesses for masked tokens, with a sign for right and wrong ones', () => {
  const likely = [
    { token: 'cat', probability: 0.7 },
    { token: 'dog', probability: 0.2 },
  ]
  const masked = ['cat', 'dog'].map((token, place) => ({ place, token, likely }))
  const said = renderToStaticMarkup(<Guesses text={{ index: 0, tokens: ['[MASK]', '[MASK]', '.'], masked }} />)
  expect(said.match(/<strong>.*?<\/strong>/g)).toEqual(['<strong>cat ✓</strong>', '<strong>dog ✗</strong>'])
  expect(said).toContain('<small>cat 70%</small><small>dog 20%</small>')
})
