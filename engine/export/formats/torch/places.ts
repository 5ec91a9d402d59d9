import { text } from './numbers.ts'

/** Words of Python, and what a torch.nn.Module is asked by: no attribute of ours has such a name. */
const TAKEN = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield
  T_destination add_module append apply bfloat16 buffers call_super_init children compile cpu cuda double drop_path
  dump_patches eval extend extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half insert ipu
  load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters pop register_buffer
  register_backward_hook register_forward_hook register_forward_pre_hook register_full_backward_hook
  register_full_backward_pre_hook register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module
  register_parameter register_state_dict_post_hook register_state_dict_pre_hook requires_grad_ reset_parameters
  set_extra_state set_submodule share_memory state_dict to to_empty train training type xpu zero_grad`.split(/\s+/),
)

/** Whether a part of a name can stand behind a dot. */
export const isPlain = (part: string): boolean => /^[A-Za-z]\w*$/.test(part) && !TAKEN.has(part)

/** A module that holds others and tensors, by the parts of their names. */
export interface Place {
  /** Names from the model on, with dots. */
  path: string
  inside: Map<string, Place>
  tensors: string[]
}

/** The tree of modules that tensors of these names need. */
export function placesOf(names: readonly string[]): Place {
  const root: Place = { path: '', inside: new Map(), tensors: [] }
  for (const name of names) {
    const parts = name.split('.')
    let place = root
    for (const [i, part] of parts.slice(0, -1).entries()) {
      const inner = place.inside.get(part) ?? { path: parts.slice(0, i + 1).join('.'), inside: new Map(), tensors: [] }
      place.inside.set(part, inner)
      place = inner
    }
    place.tensors.push(name)
  }
  return root
}

/** The place at the end of a path. */
export function placeAt(root: Place, path: string): Place | undefined {
  return path === '' ? root : path.split('.').reduce((at: Place | undefined, part) => at?.inside.get(part), root)
}

/** Whether a place is a list: 0, 1, 2, ... and nothing else. */
export function isList({ path, inside, tensors }: Place): boolean {
  return (
    path !== '' && tensors.length === 0 && inside.size > 0 && [...inside.keys()].every((key, i) => key === String(i))
  )
}

/** A module as the code of the module at `base` reads it. */
export function moduleIn(root: Place, path: string, base: string): string {
  let place = placeAt(root, base) as Place
  let expression = 'self'
  for (const part of base === '' ? path.split('.') : path.slice(base.length + 1).split('.')) {
    expression += isList(place) ? `[${part}]` : isPlain(part) ? `.${part}` : `._modules[${text(part)}]`
    place = place.inside.get(part) as Place
  }
  return expression
}

/** A tensor as the code of the module at `base` reads it; `table` is where one that is not plain is kept. */
export function tensorIn(root: Place, name: string, base: string, table: '_parameters' | '_buffers'): string {
  const at = name.lastIndexOf('.')
  const [path, last] = [name.slice(0, Math.max(0, at)), name.slice(at + 1)]
  const owner = path === base ? 'self' : moduleIn(root, path, base)
  const place = placeAt(root, path)
  return isPlain(last) && !place?.inside.has(last) ? `${owner}.${last}` : `${owner}.${table}[${text(last)}]`
}

/** A place and all places inside of it. */
export function everyPlace(place: Place): Place[] {
  return [place, ...[...place.inside.values()].flatMap(everyPlace)]
}
