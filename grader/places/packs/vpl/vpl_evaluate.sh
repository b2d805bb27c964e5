#!/bin/bash
# Makes vpl_execution, which VPL runs next; what VPL says about the activity goes into it.
[ -f vpl_environment.sh ] && . ./vpl_environment.sh
rm -f vpl_execution
{
    printf '#!/bin/bash\nVPL_MAXTIME=%q\nVPL_GRADEMAX=%q\n' "${VPL_MAXTIME:-300}" "${VPL_GRADEMAX:-{points}}"
    cat <<'VPL_EXECUTION'
{execution}
VPL_EXECUTION
} > vpl_execution
chmod +x vpl_execution
