interface Problem {
  path: string;
}

/** The path, or its closest ancestor that has a control. */
function nearest(path: string, hasControl: (path: string) => boolean): string {
  // Each iteration shortens the path by at least one character.
  for (let at = path; at !== ''; at = at.replace(/[.[]?[^.[]*$/, '')) if (hasControl(at)) return at;
  return path;
}

/** Maps the paths in an error to existing controls, so the form shows each problem at a field. */
export function atControls(error: unknown, hasControl: (path: string) => boolean): unknown {
  const { details } = error as { details?: unknown };
  if (!Array.isArray(details)) return error;
  const placed = (details as Problem[]).map((problem) => ({
    ...problem,
    path: nearest(problem.path, hasControl),
  }));
  return Object.assign(Object.create(error as object), { details: placed });
}
