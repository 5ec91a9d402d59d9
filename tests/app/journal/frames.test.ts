import { expect, it } from 'vitest'
import { frameOf, framesIn } from '../../../app/journal/frames.ts'

const contents = [[1, 2, 3], [], [9]].map((bytes) => Uint8Array.from(bytes))
const file = Buffer.concat(contents.map(frameOf))
const ends = [0, 15, 27, 40]

it('reads what was written', () => {
  expect(framesIn(file)).toEqual({ contents: contents.map((each) => Buffer.from(each)), lost: 0, damaged: false })
})

it('stops before a frame that is cut off, wherever that is', () => {
  for (let length = 0; length <= file.length; length++) {
    const whole = ends.filter((end) => end <= length).length - 1
    const { contents, lost, damaged } = framesIn(file.subarray(0, length))
    expect([contents.length, lost, damaged]).toEqual([whole, 0, false])
  }
})

it('tells every bit that is another one: a damaged content costs itself, a damaged head what follows', () => {
  for (let at = 0; at < file.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ (1 << bit)
      const before = ends.filter((end) => end <= at).length - 1
      const inHead = at - (ends[before] ?? 0) < 12
      const { contents, lost, damaged } = framesIn(changed)
      expect([contents.length, lost, damaged]).toEqual(inHead ? [before, 0, true] : [2, 1, false])
    }
  }
})
