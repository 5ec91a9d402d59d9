import { expect, it } from 'vitest'
import { freshFolder, mixlab, NOTEBOOK, writeNotebook } from '../cli/recorder.ts'

const LATE = `// %% late
const late = { times: 0 }
setInterval(() => { throw new Error('too late, time ' + late.times++) })
setInterval(() => Promise.reject('not caught'))

// %% waits
while (late.times < 200) await new Promise((go) => setTimeout(go))

${NOTEBOOK}`

it('tells what cells throw once they have ended, not for ever, and trains on', async () => {
  const folder = freshFolder()
  const { code, out, err } = await mixlab(['run', writeNotebook(folder, LATE), '--workspace', folder])
  expect(err).toContain('late:2: too late, time 0')
  expect(err).toContain('not caught')
  expect(err).toContain('what is thrown after these 100 errors is not shown')
  expect(err.filter((line) => /too late|not caught/.test(line))).toHaveLength(100)
  expect(code).toBe(0)
  expect(out.join('\n')).toContain('plain')
})
