#!/bin/bash
# Makes vpl_execution, which VPL runs next.
rm -f vpl_execution
cat > vpl_execution <<'VPL_EXECUTION'
{execution}
VPL_EXECUTION
chmod +x vpl_execution
