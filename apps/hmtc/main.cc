#include "program.h"

int main(int argc, char** argv) { return hmtc::run_program(argc, argv, nullptr); }
