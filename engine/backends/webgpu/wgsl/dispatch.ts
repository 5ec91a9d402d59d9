import { entry } from './entry.ts'
import { functionsOf } from './functions.ts'

/** A uniform of a dispatch: where a value is in memory, or which draw it is. */
export type Place = { value: number } | { draw: number }

/** A shader, how many workgroups run it, and their uniforms. */
export interface Dispatch {
  /** For people, e.g. `BatchMatMul 4096x512x128`. */
  label: string
  code: string
  /** Floating-point operations of a product of matrices. */
  operations?: number
  workgroups: Workgroups
  places: Place[]
}

export type Workgroups = [number, number, number]

/** What becomes a shader, alone or with others. */
export interface Kernel extends Omit<Dispatch, 'code'> {
  /** Functions and memory of a workgroup. */
  declarations: string
  /** The statements of `main`, with `group` and `thread`. */
  main: string
  threads: number
}

/** The most workgroups along an axis. */
export const MAX_WORKGROUPS = 65535

/** So many workgroups in a grid, and their number in WGSL. Throws where there are more than a card can have. */
export function grid(count: number): { workgroups: Workgroups; number: string } {
  const down = Math.ceil(count / MAX_WORKGROUPS)
  if (down > MAX_WORKGROUPS) throw new Error(`needs ${count} workgroups at once, at most ${MAX_WORKGROUPS ** 2}`)
  const across = Math.ceil(count / down)
  return { workgroups: [across, down, 1], number: down === 1 ? 'group.x' : `(group.y * ${across}u + group.x)` }
}

const countOf = ({ workgroups: [x, y, z] }: Kernel) => x * y * z

/** Kernels as one dispatch, in which workgroups with the most to do come first. */
export function dispatchOf(kernels: Kernel[]): Dispatch {
  const [first, ...others] = kernels.toSorted((a, b) => work(b) - work(a)) as [Kernel, ...Kernel[]]
  const { label, operations = 0, workgroups, places, threads } = first
  if (others.length === 0 && Math.max(...workgroups) <= MAX_WORKGROUPS) {
    const code = moduleOf(first.declarations, threads, first.main)
    return { label, operations, workgroups, places, code }
  }
  const all = [first, ...others]
  const total = all.reduce((sum, each) => sum + countOf(each), 0)
  const { workgroups: whole, number } = grid(total)
  const { memory, functions } = apart(all)
  let before = 0
  const calls = all.map((each, i) => {
    const [x, y] = each.workgroups
    const own = `number - ${before}u`
    before += countOf(each)
    return `  if (number < ${before}u) { let own = ${own}; main${i}(vec3u(own % ${x}u, own / ${x}u % ${y}u, own / ${x * y}u), thread); return; }`
  })
  return {
    label: all.map((each) => each.label).join(' + '),
    operations: all.reduce((sum, each) => sum + (each.operations ?? 0), 0),
    workgroups: whole,
    places,
    code: moduleOf(`${memory}\n${functions}`, threads, `  let number = ${number};\n${calls.join('\n')}`),
  }
}

/** Operations of a workgroup. */
function work(kernel: Kernel): number {
  return (kernel.operations ?? 0) / countOf(kernel)
}

/** The declarations of kernels with functions of different names, each with its `main`; workgroups have the same memory in turn. */
function apart(kernels: Kernel[]): { memory: string; functions: string } {
  const lengths = new Map<string, { type: string; length: number }>()
  const functions = kernels.map(({ declarations, main }, i) => {
    const own = declarations.replace(
      /var<workgroup> (\w+): array<(f32|i32), (\d+)>;\n?/g,
      (_, name: string, type: string, length: string) => {
        lengths.set(name, { type, length: Math.max(Number(length), lengths.get(name)?.length ?? 0) })
        return ''
      },
    )
    const names = [...own.matchAll(/\bfn (\w+)\(/g)].map(([, name]) => name as string)
    const whole = `${own}\nfn main${i}(group: vec3u, thread: u32) {\n${main}\n}`
    return names.reduce((text, name) => text.replace(new RegExp(`\\b${name}\\(`, 'g'), `${name}_${i}(`), whole)
  })
  const memory = [...lengths].map(([name, { type, length }]) => `var<workgroup> ${name}: array<${type}, ${length}>;`)
  return { memory: memory.join('\n'), functions: functions.join('\n') }
}

function moduleOf(declarations: string, threads: number, main: string): string {
  const whole = `${declarations}\n${entry(threads, main)}`
  return `var<private> nought = 0u;\n${functionsOf(whole)}\n${whole}`
}
