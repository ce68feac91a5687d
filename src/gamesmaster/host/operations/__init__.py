"""Running a site: serving, the worker, health, backups, upgrades, repairs, the doctor."""
