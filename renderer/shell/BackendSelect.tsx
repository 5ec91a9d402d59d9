import type { BackendName } from '../../engine/backends/types.ts'
import type { Power } from '../../engine/backends/webgpu/card.ts'
import type { BackendOption, BackendReport } from '../protocol/kernel.ts'
import { cardWanted } from '../session/kernel/cardWanted.ts'
import { chooseBackend } from '../session/kernel/control.ts'
import { outlivesPage } from '../session/kernel/source.ts'
import { useKernel } from '../session/kernel/state.ts'
import { Choice } from '../ui/Choice.tsx'
import { notify } from '../ui/notices.ts'
import { missingWebGpu } from './missingWebGpu.ts'

/** The value of the option that says how a browser is given WebGPU. */
const MISSING = 'missing'

/** Which backend trains, and on what device. */
export function BackendSelect() {
  const { wanted, report, phase } = useKernel()
  const automatic = wanted === null ? report?.chosen.name : undefined
  const all = (report?.options ?? []).flatMap(optionsOf(report?.cards ?? []))
  const isMissing =
    report && !outlivesPage() && !report.options.some(({ name, software }) => name === 'webgpu' && !software)
  const choose = (value: string) => {
    if (value === MISSING) {
      notify({ text: missingWebGpu({ userAgent: navigator.userAgent, isSecure: window.isSecureContext }) })
      return
    }
    const [backend, power] = value.split(' ')
    void chooseBackend((backend || null) as BackendName | null, power as Power | undefined)
  }
  const current = all.find(([value]) => value === `${wanted} ${cardWanted().power}`)?.[0] ?? wanted ?? ''
  const options: [value: string, text: string][] = [
    ['', automatic ? `automatic (${automatic})` : 'automatic'],
    ...all,
    ...(isMissing ? [[MISSING, 'no graphics card here? How to turn WebGPU on'] as [string, string]] : []),
  ]
  const common = { className: 'backend', testId: 'backend', disabled: phase === 'starting' }
  return <Choice label="backend" options={options} value={current} onChange={choose} {...common} />
}

/** A backend as the list has it: once, or once for each card. */
function optionsOf(cards: NonNullable<BackendReport['cards']>) {
  return (option: BackendOption): [value: string, text: string][] =>
    option.name === 'webgpu' && cards.length > 0
      ? cards.map(({ power, device }) => [`webgpu ${power}`, describe({ ...option, device })])
      : [[option.name, describe(option)]]
}

function describe({ name, device, software }: BackendOption): string {
  return software ? `${name} – ${device} (software)` : `${name} – ${device}`
}
