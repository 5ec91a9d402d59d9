import { expect, it } from 'vitest'
import { frameOf, framesIn } from '../../../app/journal/frames.ts'

const contents = [[1, 2, 3], [], [9]].map((bytes) => Uint8Array.from(bytes))
const file = Buffer.concat(contents.map(frameOf))

it('reads what was written', () => {
  expect(framesIn(file)).toEqual({ contents: contents.map((each) => Buffer.from(each)), cut: 0, damaged: false })
})

it('stops before a frame that is cut off, wherever that is', () => {
  const ends = [0, 11, 19, 28]
  for (let length = 0; length <= file.length; length++) {
    const whole = ends.filter((end) => end <= length)
    const { contents, cut, damaged } = framesIn(file.subarray(0, length))
    expect([contents.length, cut, damaged]).toEqual([whole.length - 1, length - (whole.at(-1) ?? 0), false])
  }
})

it('stops before a frame that is damaged, whichever byte is another one', () => {
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 255
    const { contents } = framesIn(changed)
    expect(contents.length).toBe(at < 11 ? 0 : at < 19 ? 1 : 2)
  }
})
