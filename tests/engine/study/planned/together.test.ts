import { expect, it } from 'vitest'
import { checkTogetherAmong } from '../../../../engine/study/planned/together.ts'

const studies = (lists: Record<string, string[] | undefined>) =>
  Object.entries(lists).map(([name, together]) => ({ name, spec: { together } as never }))
const check = (lists: Record<string, string[] | undefined>) => () => checkTogetherAmong(studies(lists))

it('studies are planned together with studies of their notebook, which say the same', () => {
  expect(check({ one: ['one', 'two'], two: ['two', 'one'], alone: undefined })).not.toThrow()
  expect(check({ one: ['one', 'twoo'], two: undefined })).toThrow(
    "one.together: the notebook defines no study 'twoo' (did you mean 'two'?)",
  )
  expect(check({ one: ['one', 'two'], two: undefined })).toThrow(
    "one.together: 'two' is not planned together with the same studies; give both the same list",
  )
})
