import { Dialog, DialogHead } from '../ui/Dialog.tsx'
import { Keys } from './CommandPalette.tsx'
import { COMMANDS } from './commands.ts'

/** The keys of all commands, by group. */
export function KeysHelp() {
  const withKeys = COMMANDS.filter(({ keys }) => keys.length > 0)
  const groups = [...new Set(withKeys.map(({ group }) => group))]
  return (
    <Dialog label="Keys" className="keys-help">
      <DialogHead title="Keys" />
      <p className="muted">
        Escape leaves the text of a cell, Enter goes into it. Keys of one letter count while a cell is selected and
        nobody writes.
      </p>
      <div className="key-groups">
        {groups.map((group) => (
          <table key={group}>
            <caption>{group}</caption>
            <tbody>
              {withKeys
                .filter((command) => command.group === group)
                .map(({ name, keys }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>
                      <Keys keys={keys} />
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        ))}
      </div>
    </Dialog>
  )
}
