import { expect, it } from 'vitest'
import { plainText } from '../../../../app/cli/terminal/terminal.ts'

it.each([
  ['a line\twith a tab', 'a line\twith a tab'],
  ['two\nlines', 'two\nlines'],
  ['\x1b[31mred\x1b[0m', '␛[31mred␛[0m'],
  ['\x1b]0;title\x07', '␛]0;title␇'],
  ['done\r\x1b[2Kforged', 'done␍␛[2Kforged'],
  ['\x9b2J \x7f \x00', '␡2J ␡ ␀'],
  ['ä – 漢字 🙂', 'ä – 漢字 🙂'],
])('%j is shown as %j', (text, shown) => {
  expect(plainText(text)).toBe(shown)
})
