"""The command `accord papers`, which repeats published experiments from a checkout of the repository."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.core.errors import SpecError
from accord.doors.cli.commands import ANSWER, MEASURES, OUTPUT, Checkpoint, Cluster, long_work
from accord.doors.cli.help import Rare

SIMULATION = "What to simulate"
Output: Any = ANSWER["output"][0]
Force: Any = ANSWER["force"][0]
Seed = Annotated[int, typer.Option(help="Random seed.", rich_help_panel=MEASURES)]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Number of processes for long computations. The result does not depend on it. Default: all cores.",
        rich_help_panel=Rare(MEASURES),
    ),
]
Figures = Annotated[Path, typer.Option(help="Folder for the figures.", rich_help_panel=OUTPUT)]
PaperSets = Annotated[
    int,
    typer.Option(
        min=2, help="Simulated sets per magnitude and setting; the papers use 40.", rich_help_panel=SIMULATION
    ),
]


def papers(
    output: Output = None,
    figures: Figures = Path("papers"),
    sets: PaperSets = 20,
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    checkpoint: Checkpoint = None,
    force: Force = False,
) -> None:
    """Repeat the experiments of Mathet et al. 2012, 2015 (6.3) and Barteld et al. 2016 (7), and check their claims.

    Example: `accord papers -o docs/papers.md --figures docs/papers`
    """
    from accord.core.writing import check_free
    from accord.doors.cli.output import deliver, progress

    _import_studies()
    from studies import experiments
    from studies.page import reproduced

    for path in (*filter(None, [output]), *sorted(figures.glob("*.*"))):
        check_free(path, [], force)
    with long_work(cluster, checkpoint, "papers", sets, seed), progress() as tell:
        if cluster is not None:
            import cloudpickle

            cloudpickle.register_pickle_by_value(experiments)  # workers have accord but not the studies
        page = reproduced(figures, output, sets=sets, seed=seed, progress=tell, jobs=jobs)
    deliver(page, output, machine=True)


def _import_studies() -> None:
    """Add the repository to sys.path: the package does not contain the studies."""
    import accord

    repositories = (Path(accord.__file__).resolve().parents[2], Path.cwd())
    there = next((path for path in repositories if (path / "studies" / "harbour.csv").is_file()), None)
    if there is None:
        raise SpecError(
            "missing-package",
            "the installed package does not contain the studies of the papers; clone the repository of accord and run "
            "`accord papers` in it",
        )
    if str(there) not in sys.path:
        sys.path.insert(0, str(there))
