import { expect, it } from 'vitest'
import type { Host } from '../../../engine/host.ts'
import { restoreVersion } from '../../../renderer/history/HistoryView.tsx'
import { useConnection } from '../../../renderer/host/state.ts'
import { save } from '../../../renderer/session/files/save.ts'
import { openNotebook } from '../../../renderer/session/open.ts'
import { useNotebook } from '../../../renderer/session/state.ts'
import { useNotices } from '../../../renderer/ui/notices.ts'

it('restores a version, saves it, and takes it back', async () => {
  const written: string[] = []
  const host: Partial<Host> = {
    readNotebook: async (name) => ({ name, text: '// %% a\nnow\n', revision: 'r' }),
    readOutputs: async () => [],
    writeNotebook: async (_, text) => {
      written.push(text)
      return text
    },
  }
  useConnection.setState({ host: host as Host })
  await openNotebook('n.ts')
  restoreVersion('// %% a\nthen\n\n// %% b\nmore\n', '12:00')
  const undo = useNotices.getState().notice?.action
  expect(useNotebook.getState().cells.map(({ source }) => source)).toEqual(['then', 'more'])
  await save()
  undo?.run()
  await save()
  expect(written).toEqual(['// %% a\nthen\n\n// %% b\nmore\n', '// %% a\nnow\n'])
})
